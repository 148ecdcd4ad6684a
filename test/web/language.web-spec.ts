import sharp from 'sharp';
import { upload } from '../support/http/multipart';
import { callScene } from './support/call-scene';
import { type Company, createCompany, webTest } from './support/company';
import { CustomerPage } from './support/pages/customer-page';
import { until } from '../support/until';

const scene = callScene();
let company: Company;

beforeAll(async () => {
  company = await createCompany();
  const file = await sharp({ create: { width: 120, height: 60, channels: 3, background: '#0a7' } })
    .png()
    .toBuffer();
  const { status } = await upload(
    webTest(),
    '/api/v1/tenant/logo',
    [['file', file, 'logo.png', 'image/png']],
    company.tenant.owner,
  );
  expect(status).toBe(201);
});

describe('the language', () => {
  it.each([
    ['pt-BR', 'pt', /Seu nome/],
    ['es-MX', 'es', /Su nombre|Tu nombre/],
    ['en-GB', 'en', /Your name/],
    // None of the page's languages: that of the company, which is Portuguese unless it chose another one.
    ['de-DE', 'pt', /Seu nome/],
  ])('of a browser in %s is %s', async (locale, language, label) => {
    const page = await scene.customerPage({ context: { locale } });
    const customer = await CustomerPage.open(page, company.link);
    await customer.waitFor('form');
    expect(await page.evaluate(() => document.documentElement.lang)).toMatch(new RegExp(`^${language}`));
    expect(await page.locator('main').textContent()).toMatch(label);
    const logo = page.locator('.masthead img');
    await until(() => logo.evaluate((image) => (image as HTMLImageElement).naturalWidth === 120));
  });

  it('can be changed without losing what was typed, also without a network for a while, and stays after a reload', async () => {
    const page = await scene.customerPage({ context: { locale: 'en-US' } });
    const customer = await CustomerPage.open(page, company.link);
    await (await customer.waitForId('join-name')).fill('Zoë');
    const failed: string[] = [];
    page.on('requestfailed', (request) => failed.push(request.method()));
    // A question that is answered after all would make the page load itself again.
    await page.route(/\/assets\//, (route) =>
      route.request().method() === 'HEAD' ? route.abort() : route.fallback(),
    );
    await page.context().setOffline(true);
    await customer.find('language').selectOption('pt');
    // The page asks whether its build is gone, for each of the two files of texts.
    await until(() => failed.filter((method) => method === 'HEAD').length >= 2);
    await page.context().setOffline(false);
    await until(async () => /Seu nome/.test((await page.locator('main').textContent()) ?? ''));
    expect(await customer.find('join-name').inputValue()).toBe('Zoë');
    expect(await page.evaluate(() => document.documentElement.lang)).toMatch(/^pt/);
    await customer.reload();
    await customer.waitFor('form');
    expect(await page.locator('main').textContent()).toMatch(/Seu nome/);
  });
});
