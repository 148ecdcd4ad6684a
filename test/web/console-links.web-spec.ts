import { until } from '../support/until';
import { BarrierCheck } from './support/browser/barrier-check';
import { callScene } from './support/call-scene';
import { createCompany } from './support/company';
import type { AgentPage } from './support/pages/agent-page';

const scene = callScene();
const check = new BarrierCheck();

beforeEach(() => check.reset());
afterEach(() => expect(check.found).toEqual([]));

/** Prints, and fails unless the paper has the cards alone, each with a QR code. */
async function expectPrinted(console: AgentPage, labels: string[]): Promise<void> {
  const { page } = console;
  await page.evaluate(() => {
    window.print = () => document.documentElement.setAttribute('data-printed', '');
  });
  await console.click('print');
  await page.locator('html[data-printed]').waitFor();
  await page.emulateMedia({ media: 'print' });
  const cards = page.locator('.print-only li');
  expect(await cards.locator('strong').allTextContents()).toEqual(labels);
  const shownCodes = () =>
    cards
      .locator('img')
      .evaluateAll(
        (images) =>
          (images as HTMLImageElement[]).filter((image) => image.checkVisibility() && image.naturalWidth > 0)
            .length,
      );
  await until(async () => (await shownCodes()) === labels.length);
  const others = await page
    .locator('body > :not(.print-only)')
    .evaluateAll((elements) =>
      elements
        .filter((element) => element.checkVisibility({ visibilityProperty: true }))
        .map(({ outerHTML }) => outerHTML.slice(0, 300)),
    );
  expect(others).toEqual([]);
  await page.emulateMedia({ media: null });
}

it('links are created in a batch after a bad line is corrected, and printed; one alone is cancelled', async () => {
  const company = await createCompany();
  const console = await scene.agent(company, { member: company.tenant.owner });
  await console.click('nav-links');
  await console.waitForId('links');
  await check.look(console.page, 'links');
  await console.click('link-batch');
  await console.find('link-department').selectOption(company.department.id);
  await console.find('batch-lines').fill('Table 1\nTable 2;;none\nTable 3');
  await console.click('save');
  const problems = await console.waitForId('batch-problems');
  expect(await problems.textContent()).toContain('Line 2');
  // A time that only the service refuses.
  await console.find('batch-lines').fill('Table 1\n\nTable 2;;1;2020-01-31');
  await console.click('save');
  await problems.getByText('Line 3').waitFor();
  expect(await problems.textContent()).toContain('expires_at: Enter a time in the future.');
  await console.page.getByText('Correct or remove the line below.').waitFor();
  await console.find('batch-lines').fill('Table 1\nTable 2;;1\nTable 3');
  await console.click('save');
  const sheet = await console.waitForId('qr-sheet');
  expect(await sheet.locator('img').count()).toBe(3);
  await expectPrinted(console, ['Table 1', 'Table 2', 'Table 3']);
  const { body } = await company.tenant.owner.api.get('/api/v1/access-links?search=Table&sort_by=label');
  expect(body.data).toHaveLength(3);

  await console.page.keyboard.press('Escape');
  await console.waitUntilGone('qr-sheet');
  await console.click('link-create');
  await console.find('link-label').fill('Front door');
  await console.click('save');
  await console.waitUntilRefused('link-department');
  expect(await console.find('link-label').inputValue()).toBe('Front door');
  await console.find('link-department').selectOption(company.department.id);
  // A day without a time is no link that never expires.
  const expiry = console.page.getByLabel('Valid until');
  await expiry.focus();
  await console.page.keyboard.type('0131');
  await console.click('save');
  await console.page.getByText('Complete this field.').waitFor();
  await expiry.fill('');
  await console.click('save');
  const code = await console.waitForId('link-qr');
  await until(() => code.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth > 0));
  const url = await console.find('link-url').inputValue();
  await check.look(console.page, 'link');
  await console.click('link-cancel');
  await console.click('confirm');
  await console.find('link-details').getByText('Cancelled', { exact: true }).waitFor();
  const search = await company.tenant.owner.api.get('/api/v1/access-links?search=Front');
  expect(search.body.data).toMatchObject([{ url, status: 'cancelled' }]);
});
