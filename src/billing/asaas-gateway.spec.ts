import fc from 'fast-check';
import type { Config } from '../platform/config/config';
import { AsaasGateway } from './asaas-gateway';

const TENANT = '3f0c2a52-6a53-4d43-9a8e-6f2a2d1a9e11';
const asaas = (asaasWebhookToken?: string) => new AsaasGateway({ asaasWebhookToken } as Config);
const read = (body: unknown) => asaas('token').read(body);

const isAuthentic = (token: string | string[] | undefined) =>
  asaas('agreed').isAuthentic({ headers: { 'asaas-access-token': token }, rawBody: Buffer.from('{}') });

describe('a notification of Asaas', () => {
  it('is read from its documented shape', () => {
    expect(
      read({
        id: 'evt_05b708f961d739ea7eba7e4db318f621&368604920',
        event: 'PAYMENT_RECEIVED',
        dateCreated: '2026-06-12 16:45:03',
        payment: {
          object: 'payment',
          id: 'pay_080225913252',
          dateCreated: '2026-06-01',
          value: 99,
          externalReference: TENANT,
        },
      }),
    ).toEqual({
      event_id: 'evt_05b708f961d739ea7eba7e4db318f621&368604920',
      event: 'PAYMENT_RECEIVED',
      kind: 'paid',
      payment_id: 'pay_080225913252',
      tenant_id: TENANT,
      occurred_at: new Date('2026-06-12T19:45:03Z'),
    });
  });

  it.each([
    ['PAYMENT_CONFIRMED', 'paid'],
    ['PAYMENT_RECEIVED', 'paid'],
    ['PAYMENT_OVERDUE', 'overdue'],
    ['PAYMENT_REFUNDED', 'refunded'],
    ['PAYMENT_PARTIALLY_REFUNDED', 'other'],
    ['PAYMENT_CREATED', 'other'],
    ['payment_confirmed', 'other'],
    [' PAYMENT_CONFIRMED', 'other'],
    ['PLAN_GRANTED', 'other'],
    ['constructor', 'other'],
    ['__proto__', 'other'],
  ])('%s is of the kind %s', (event, kind) => {
    expect(read({ event })).toMatchObject({ event, kind });
  });

  it.each([
    // The zone had summer time until 2019, which the gateway's older charges were created in.
    ['2018-12-01 12:00:00', '2018-12-01T14:00:00.000Z'],
    ['2026-12-31 23:59:59', '2027-01-01T02:59:59.000Z'],
    ['2028-02-29 00:00:00', '2028-02-29T03:00:00.000Z'],
    ['2026-06-12 16:45:03.250', '2026-06-12T19:45:03.250Z'],
    ['2026-06-12', '2026-06-12T03:00:00.000Z'],
  ])('%s occurred at %s', (dateCreated, moment) => {
    expect(read({ dateCreated }).occurred_at).toEqual(new Date(moment));
  });

  it.each([
    [undefined],
    [null],
    [''],
    [0],
    [1_780_000_000_000],
    [{}],
    [['2026-06-12 16:45:03']],
    ['yesterday'],
    ['2026-02-30 12:00:00'],
    ['2026-06-12 25:00:00'],
    ['12/06/2026 16:45:03'],
    ['16:45:03'],
    ['21:45:03'],
    ['0000-01-01 00:00:00'],
    ['1899-12-31 23:59:59'],
    ['9999-12-31 23:59:59'],
    ['+012026-06-12 16:45:03'],
  ])('created at %j does not say when', (dateCreated) => {
    expect(read({ dateCreated }).occurred_at).toBeNull();
  });

  it.each([[7], [''], [null], [{}], [[TENANT]], [true], [undefined]])('takes %j for no id', (id) => {
    expect(read({ id, event: id, payment: { id, externalReference: id } })).toMatchObject({
      event_id: null,
      event: 'unknown',
      payment_id: null,
      tenant_id: null,
    });
  });

  it.each([['order 17'], [`${TENANT} `], [TENANT.slice(1)], [`{${TENANT}}`]])('%j is no tenant', (id) => {
    expect(read({ payment: { externalReference: id } }).tenant_id).toBeNull();
  });

  it('of any shape whatever is read without a complaint, into the same', () => {
    const gateway = asaas('token');
    const odd = fc.oneof(fc.anything(), fc.record({ id: fc.anything(), payment: fc.anything() }));
    fc.assert(
      fc.property(odd, (body) => {
        const once = gateway.read(body);
        expect(once.kind).toBe('other');
        expect(gateway.read(body)).toEqual(once);
      }),
    );
  });
});

describe('the token', () => {
  it.each<[string, string | string[] | undefined, boolean]>([
    ['the right one', 'agreed', true],
    ['a wrong one', 'agreeD', false],
    ['the beginning of it', 'agree', false],
    ['more than it', 'agreed ', false],
    ['none', undefined, false],
    ['an empty one', '', false],
    ['several', ['agreed', 'agreed'], false],
  ])('%s', (_what, given, right) => {
    expect(isAuthentic(given)).toBe(right);
  });

  it('that was never agreed on opens nothing', () => {
    expect(asaas().enabled).toBe(false);
    expect(asaas('agreed').enabled).toBe(true);
  });
});
