import { TestTenant } from '../support/builders';
import { openPage } from '../support/http/page';
import { rawRequest } from '../support/http/raw-request';
import { sharedTestApp } from '../support/shared-app';
import type { TestApp } from '../support/test-app';

/** What is left for the rest of a page's first load must not be used up unnoticed: the benchmarks run seldom. */
const LIMITS = {
  "the customer's page": { script: 50, style: 10 },
  'the panel of the widget': { script: 50.5, style: 10 },
  'the console': { script: 252, style: 40 },
};

let test: TestApp;
const paths = new Map<string, string>();

beforeAll(async () => {
  test = await sharedTestApp();
  const { link } = await (await TestTenant.register(test)).queue();
  paths
    .set("the customer's page", `/c/${link.token}`)
    .set('the panel of the widget', `/c/${link.token}?embed=1`)
    .set('the console', '/console');
});
afterAll(() => test.close());

/** @returns kB (1,000 bytes) by gzip of the files of a type that the HTML names, which are all until the first screen is there */
async function sizeOf(html: string, extension: 'js' | 'css'): Promise<number> {
  const addresses = new Set(html.match(/(?<=(?:src|href)=")\/assets\/[^"]+/g));
  const wanted = [...addresses].filter((address) => address.endsWith(`.${extension}`));
  expect(wanted.length).toBeGreaterThan(0);
  const sizes = await Promise.all(
    wanted.map(async (address) => {
      const { status, body } = await rawRequest(test.url, address, { 'accept-encoding': 'gzip' });
      expect(status).toBe(200);
      return body.length;
    }),
  );
  return sizes.reduce((sum, size) => sum + size, 0) / 1000;
}

describe.each(Object.entries(LIMITS))('the first load of %s', (page, limits) => {
  it.each(['pt', 'en', 'es'])('is small enough in %s', async (language) => {
    const { html } = await openPage(test, paths.get(page) ?? '', { 'accept-language': language });
    const script = await sizeOf(html, 'js');
    const style = await sizeOf(html, 'css');
    expect(script).toBeLessThanOrEqual(limits.script);
    expect(style).toBeLessThanOrEqual(limits.style);
  });
});
