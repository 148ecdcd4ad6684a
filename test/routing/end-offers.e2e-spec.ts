import { Database } from '../../src/platform/database/database';
import { Filter } from '../../src/platform/database/filter';
import { EndOffers } from '../../src/routing/offers/end-offers';
import {
  endOf,
  OFFER_ENDS,
  OFFER_STATUSES,
  type OfferStatus,
  type OfferTrigger,
} from '../../src/routing/offers/offer.machine';
import { someId, TestTenant } from '../support/builders';
import { secondsAfter } from '../support/contexts/line';
import { stopDistribution } from '../support/contexts/offers';
import { startTestApp, type TestApp } from '../support/test-app';

let test: TestApp;
let tenant: TestTenant;
let callId: string;

beforeAll(async () => {
  test = await startTestApp();
  await stopDistribution(test);
  test.clock.stop();
  tenant = await TestTenant.register(test);
  callId = (await tenant.join((await tenant.queue()).link as { token: string })).call_id;
});

afterEach(() => test.db.query('DELETE FROM offers WHERE call_id = $1', [callId]));

afterAll(() => test.close());

const CASES = (Object.keys(OFFER_ENDS) as OfferTrigger[]).flatMap((trigger) =>
  OFFER_STATUSES.flatMap((status) => [-1, 0, 1].map((seconds) => ({ trigger, status, seconds }))),
);

/** Stores an offer of a user who does not exist, which no job changes. @returns its id */
async function insertOffer(status: OfferStatus, expires_at: Date): Promise<string> {
  const { rows } = await test.db.query(
    `INSERT INTO offers (tenant_id, call_id, user_id, kind, status, offered_at, expires_at, ended_at)
     VALUES ($1, $2, $3, 'line', $4, $5, $6, CASE WHEN $4 = 'pending' THEN NULL ELSE $5::timestamptz END) RETURNING id`,
    [tenant.id, callId, someId(), status, secondsAfter(expires_at, -20), expires_at],
  );
  return rows[0].id;
}

describe('the statement that ends offers', () => {
  it.each(CASES)('decides as the machine: $trigger, $status, $seconds s after it expires', async (given) => {
    const now = test.clock.now();
    const offer = { status: given.status, expires_at: secondsAfter(now, -given.seconds) };
    const id = await insertOffer(offer.status, offer.expires_at);
    const ended = await test
      .get(Database)
      .tenant(tenant.id, (tx) =>
        test.get(EndOffers).end(tx, given.trigger, new Filter().and('o.id = ?', id)),
      );
    const expected = endOf(offer, given.trigger, now);
    expect(ended.map(({ status }) => status)).toEqual(expected === undefined ? [] : [expected]);
  });
});
