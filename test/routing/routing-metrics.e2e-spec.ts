import { TestTenant } from '../support/builders';
import { secondsAfter } from '../support/contexts/line';
import { recordOffer } from '../support/contexts/recorded-offers';
import { sharedTestApp } from '../support/shared-app';
import type { TestApp } from '../support/test-app';

let test: TestApp;

beforeAll(async () => {
  test = await sharedTestApp();
});

afterAll(() => test.close());

/** The value of a series of /metrics; 0 if it does not exist yet. */
async function valueOf(series: string): Promise<number> {
  const text = await (await fetch(`${test.url}/metrics`)).text();
  const line = text.split('\n').find((one) => one.startsWith(`${series} `));
  return Number(line?.split(' ')[1] ?? 0);
}

const SERIES = [
  'vcq_offers_total{status="pending"}',
  'vcq_offers_total{status="declined"}',
  'vcq_offers_total{status="expired"}',
  'vcq_offer_latency_seconds_count',
  'vcq_offer_latency_seconds_sum',
  'vcq_offer_latency_seconds_bucket{le="0.1"}',
  'vcq_offer_latency_seconds_bucket{le="0.25"}',
];

const read = () => Promise.all(SERIES.map(valueOf));

describe('the metrics of offers', () => {
  it('count offers by status, and the time to make them', async () => {
    const tenant = await TestTenant.register(test);
    const { call_id } = await tenant.join((await tenant.queue()).link);
    const offer = { tenant_id: tenant.id, call_id, user_id: tenant.owner.id };
    const before = await read();
    test.clock.stop();
    const possible_since = secondsAfter(test.clock.now(), -0.2).toISOString();
    await recordOffer(test, offer, 'declined', { possible_since });
    await recordOffer(test, { ...offer, kind: 'forced' }, 'declined');
    const increases = (await read()).map((value, index) => value - (before[index] ?? 0));
    expect(increases).toEqual([2, 2, 0, 1, expect.closeTo(0.2, 5), 0, 1]);
  });
});
