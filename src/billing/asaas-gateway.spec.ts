import fc from 'fast-check';
import type { Config } from '../platform/config/config';
import { AsaasGateway } from './asaas-gateway';

const TENANT = '3f0c2a52-6a53-4d43-9a8e-6f2a2d1a9e11';
const gateway = (asaasWebhookToken?: string) => new AsaasGateway({ asaasWebhookToken } as Config);
const read = (body: unknown) => gateway('token').read(body);

const isAuthentic = (token: string | string[] | undefined) =>
  gateway('configured').isAuthentic({ headers: { 'asaas-access-token': token }, rawBody: Buffer.from('{}') });

describe('AsaasGateway.read', () => {
  it('reads the documented format', () => {
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
      tenant: TENANT,
      occurred_at: new Date('2026-06-12T19:45:03Z'),
    });
  });

  it.each([
    ['PAYMENT_CONFIRMED', 'paid'],
    ['PAYMENT_RECEIVED', 'paid'],
    ['PAYMENT_OVERDUE', 'overdue'],
    ['PAYMENT_REFUNDED', 'refunded'],
    ['PAYMENT_DUNNING_RECEIVED', 'paid'],
    ['PAYMENT_RECEIVED_IN_CASH_UNDONE', 'cash_undone'],
    ['PAYMENT_DELETED', 'deleted'],
    ['PAYMENT_RESTORED', 'restored'],
    ['PAYMENT_CHARGEBACK_REQUESTED', 'charged_back'],
    ['PAYMENT_CHARGEBACK_DISPUTE', 'charged_back'],
    ['PAYMENT_AWAITING_CHARGEBACK_REVERSAL', 'chargeback_reversed'],
    ['PAYMENT_PARTIALLY_REFUNDED', 'other'],
    ['PAYMENT_REFUND_IN_PROGRESS', 'other'],
    ['PAYMENT_REFUND_DENIED', 'other'],
    ['PAYMENT_DUNNING_REQUESTED', 'other'],
    ['PAYMENT_UPDATED', 'other'],
    ['PAYMENT_CREATED', 'other'],
    ['payment_confirmed', 'other'],
    [' PAYMENT_CONFIRMED', 'other'],
    ['PLAN_GRANTED', 'other'],
    ['constructor', 'other'],
    ['__proto__', 'other'],
  ])('%s has the kind %s', (event, kind) => {
    expect(read({ event })).toMatchObject({ event, kind });
  });

  it.each<[unknown, unknown, string]>([
    ['2026-06-12', '2026-06-12 23:59:59', 'rescheduled'],
    ['2026-07-01', '2026-06-12 16:45:03', 'rescheduled'],
    ['2026-06-11', '2026-06-12 00:00:00', 'other'],
    ['2026-06-11T00:00:00', '2026-06-12 00:00:00', 'other'],
    ['01/07/2026', '2026-06-12 16:45:03', 'other'],
    ['2026-07-01', undefined, 'other'],
    [Object.create(null), '2026-06-12 16:45:03', 'other'],
  ])('a charge that is due on %j by an update at %j: %s', (dueDate, dateCreated, kind) => {
    expect(read({ event: 'PAYMENT_UPDATED', dateCreated, payment: { dueDate } })).toMatchObject({ kind });
  });

  it.each([
    // The time zone had summer time until 2019, in which older charges of the gateway were created.
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
  ])('dateCreated %j has no occurred_at', (dateCreated) => {
    expect(read({ dateCreated }).occurred_at).toBeNull();
  });

  it.each([[7], [''], [null], [{}], [[TENANT]], [true], [undefined]])('does not accept %j as an id', (id) => {
    expect(read({ id, event: id, payment: { id, externalReference: id } })).toMatchObject({
      event_id: null,
      event: 'unknown',
      payment_id: null,
      tenant: null,
    });
  });

  it('reads any value without throwing, with the same result each time', () => {
    const asaas = gateway('token');
    const odd = fc.oneof(fc.anything(), fc.record({ id: fc.anything(), payment: fc.anything() }));
    fc.assert(
      fc.property(odd, (body) => {
        const once = asaas.read(body);
        expect(once.kind).toBe('other');
        expect(asaas.read(body)).toEqual(once);
      }),
    );
  });
});

describe('AsaasGateway.isAuthentic', () => {
  it.each<[string, string | string[] | undefined, boolean]>([
    ['the token', 'configured', true],
    ['a wrong token', 'configureD', false],
    ['the beginning of the token', 'configure', false],
    ['the token and more', 'configured ', false],
    ['no token', undefined, false],
    ['an empty token', '', false],
    ['several tokens', ['configured', 'configured'], false],
  ])('%s: %j is %s', (_what, given, isRight) => {
    expect(isAuthentic(given)).toBe(isRight);
  });

  it('is enabled by its token', () => {
    expect(gateway().enabled).toBe(false);
    expect(gateway('configured').enabled).toBe(true);
  });
});
