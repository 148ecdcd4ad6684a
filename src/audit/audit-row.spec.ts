import { DomainEvent } from '../platform/events/domain-event';
import type { RequestContext } from '../platform/logging/request-context';
import { auditRow } from './audit-row';

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
  request_id: 'request',
  address: '203.0.113.7',
  ...more,
});
const staff = { tenant_id: 'tenant', user_id: 'user' };
const foreigner = { tenant_id: 'another', user_id: 'user' };

describe('auditRow', () => {
  it('keeps who, what, from where and when, and nothing else of the event', () => {
    expect(auditRow(new Renamed('by_actor'), context({ actor: staff }))).toEqual({
      tenant_id: 'tenant',
      user_id: 'user',
      action: 'thing.renamed',
      subject_type: 'thing',
      subject_id: 'subject',
      details: { changed: ['name'] },
      address: '203.0.113.7',
      request_id: 'request',
      inserted_at: AT,
    });
  });

  it.each([
    ['by_actor', staff, 'user'],
    ['by_actor', foreigner, undefined],
    ['by_actor', undefined, undefined],
    ['always', staff, 'user'],
    ['always', foreigner, null],
    ['always', undefined, null],
    ['never', staff, undefined],
    ['never', undefined, undefined],
  ] as const)('audited %s with the actor %j: %j', (when, actor, userId) => {
    expect(auditRow(new Renamed(when), context({ actor }))?.user_id).toBe(userId);
  });

  it('takes a job’s event only if always, without address and request', () => {
    expect(auditRow(new Renamed('by_actor'), undefined)).toBeUndefined();
    expect(auditRow(new Renamed('always'), undefined)).toMatchObject({
      user_id: null,
      address: null,
      request_id: null,
    });
  });

  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['203.0.113.7:61234', '203.0.113.7'],
    ['::ffff:203.0.113.7', '::ffff:203.0.113.7'],
    ['2001:db8::7', '2001:db8::7'],
    ['[2001:db8::7]', '2001:db8::7'],
    ['[2001:db8::7]:61234', '2001:db8::7'],
    ['unknown', null],
    ['ana@example.com', null],
    ['203.0.113.7 ana@example.com', null],
    ['', null],
    [undefined, null],
  ])('keeps of the address %j %j', (address, kept) => {
    expect(auditRow(new Renamed('always'), context({ address }))?.address).toBe(kept);
  });

  it('leaves what it asks of an event out of the event’s payload', () => {
    expect(JSON.parse(JSON.stringify(new Renamed('always')))).not.toHaveProperty('details');
  });
});
