import { hasPromtool, promtool } from '../support/peers/promtool';
import { scrapeMetrics } from '../support/http/scrape-metrics';
import { startTestApp, type TestApp } from '../support/test-app';

const itWithPromtool = hasPromtool() ? it : it.skip;

let test: TestApp;

beforeAll(async () => {
  test = await startTestApp({ env: { REDIS_URL: 'redis://127.0.0.1:1' } });
});

afterAll(() => test.close());

itWithPromtool('/metrics follows the conventions of Prometheus', async () => {
  const { text } = await scrapeMetrics(test.url);
  expect(promtool(['check', 'metrics'], text)).toBe('');
});
