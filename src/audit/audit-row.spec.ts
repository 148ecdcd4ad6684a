import { DomainEvent } from '../platform/events/domain-event';
import type { RequestContext } from '../platform/logging/request-context';
import { toAuditRow } from './audit-row';

const REQUEST = '0b0c7a5e-4a52-4c1c-8a2e-2f6a1d9e3c11';
const AT = '2026-01-31T12:00:00.000Z';

class Renamed extends DomainEvent {
  readonly type = 'thing.renamed';
  readonly secret_name = 'Ana Souza';

  constructor(private readonly when: DomainEvent['audited']) {
    super('tenant', 'subject', AT);
  }

  override get audited() {
    return this.when;
  }

  override get details() {
    return { changed: ['name'] };
  }
}

const context = (more: Partial<RequestContext> = {}): RequestContext => ({
  request_id: REQUEST,
  address: '203.0.113.7',
  ...more,
});
const staff = { tenant_id: 'tenant', user_id: 'user' };
const otherTenantsStaff = { tenant_id: 'another', user_id: 'user' };

describe('toAuditRow', () => {
  it('contains actor, action, subject, origin and time, and no other field of the event', () => {
    expect(toAuditRow(new Renamed('by_actor'), context({ actor: staff }))).toEqual({
      tenant_id: 'tenant',
      user_id: 'user',
      action: 'thing.renamed',
      subject_type: 'thing',
      subject_id: 'subject',
      details: { changed: ['name'] },
      address: '203.0.113.7',
      request_id: REQUEST,
      inserted_at: AT,
    });
  });

  it.each([
    ['by_actor', staff, 'user'],
    ['by_actor', otherTenantsStaff, undefined],
    ['by_actor', undefined, undefined],
    ['always', staff, 'user'],
    ['always', otherTenantsStaff, null],
    ['always', undefined, null],
    ['never', staff, undefined],
    ['never', undefined, undefined],
  ] as const)('audited %s with the actor %j: %j', (when, actor, userId) => {
    expect(toAuditRow(new Renamed(when), context({ actor }))?.user_id).toBe(userId);
  });

  it('includes a job’s event only if it is always audited, without address and request id', () => {
    expect(toAuditRow(new Renamed('by_actor'), undefined)).toBeUndefined();
    expect(toAuditRow(new Renamed('always'), undefined)).toMatchObject({
      user_id: null,
      address: null,
      request_id: null,
    });
  });

  it.each([
    ['3f0c2a52-6a53-4d43-9a8e-6f2a2d1a9e11', '3f0c2a52-6a53-4d43-9a8e-6f2a2d1a9e11'],
    ['Ana.Souza:4111111111111111', null],
  ])('stores the request id %j as %j', (request_id, kept) => {
    expect(toAuditRow(new Renamed('always'), context({ request_id }))?.request_id).toBe(kept);
  });

  it('reads getters that are not part of the event’s payload', () => {
    expect(JSON.parse(JSON.stringify(new Renamed('always')))).not.toHaveProperty('details');
  });
});
