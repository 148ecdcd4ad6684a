import type { Page } from 'playwright-core';
import { expectStatus } from '../support/builders';
import { BarrierCheck } from './support/browser/barrier-check';
import { callScene } from './support/call-scene';
import { createCompany } from './support/company';
import { CustomerPage } from './support/pages/customer-page';

const scene = callScene();
const check = new BarrierCheck();
/** Seconds that the service asks for. */
const RETRY_AFTER = 3;
const COUNTDOWN = /^Next attempt in [2-5] s\.$/;

beforeEach(() => check.reset());
afterEach(() => expect(check.found).toEqual([]));

/** Lets the service refuse the first request with 503. @returns the idempotency keys of all requests */
async function refuseOnce(page: Page, path: string): Promise<(string | undefined)[]> {
  const keys: (string | undefined)[] = [];
  await page.route(path, (route) => {
    keys.push(route.request().headers()['idempotency-key']);
    if (keys.length > 1) return route.continue();
    return route.fulfill({
      status: 503,
      headers: { 'retry-after': String(RETRY_AFTER) },
      json: { errors: { code: 'unavailable', detail: 'The service is busy.' }, request_id: 'r' },
    });
  });
  return keys;
}

/** Runs in the page: as if the service had been busy when the page was opened. */
function openBusy(seconds: number): void {
  new MutationObserver((_, observer) => {
    const data = document.getElementById('page-data');
    if (!data?.textContent?.endsWith('}')) return;
    observer.disconnect();
    const error = { code: 'unavailable', detail: '', request_id: 'r', status: 503, retry_after: seconds };
    data.textContent = JSON.stringify({ ...JSON.parse(data.textContent), link: null, error });
  }).observe(document, { childList: true, subtree: true });
}

describe('while the service is busy', () => {
  it('a page that was opened then reads its link again, after the time that the service asks for', async () => {
    const { link } = await createCompany();
    const page = await scene.customerPage();
    await page.addInitScript(openBusy, RETRY_AFTER);
    const validations = await refuseOnce(page, '**/validate');
    const customer = await CustomerPage.open(page, link);
    await customer.waitFor('problem');
    await page.getByText(COUNTDOWN).waitFor();
    expect(validations).toHaveLength(0);
    await check.look(page, 'a busy service');
    await customer.waitFor('form');
    expect(validations).toHaveLength(2);
  });

  it('a customer of a full line joins by the same request, as soon as it is answered', async () => {
    const company = await createCompany({ max_queue_size: 1 });
    const second = await CustomerPage.open(await scene.customerPage(), company.link);
    await second.waitFor('form');
    const first = await scene.waiting(company);
    await second.find('join-name').fill('Second');
    await second.click('join-submit');
    await second.waitFor('full');
    await first.leaveLine();
    const keys = await refuseOnce(second.page, '**/join');
    await second.click('start-over');
    await second.page.getByText(COUNTDOWN).waitFor();
    await check.look(second.page, 'a full line of a busy service');
    await second.waitFor('waiting');
    expect(keys).toEqual([expect.any(String), keys[0]]);
  });

  it('so does one who asks for a message while the department is closed, unless they stop', async () => {
    const company = await createCompany({ callback_enabled: true });
    const never = Object.fromEntries(
      ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'].map((day) => [day, []]),
    );
    const nextYear = `${new Date().getUTCFullYear() + 1}-06-01`;
    const exceptions = [{ date: nextYear, intervals: [['09:00', '18:00']] }];
    const opening_hours = { timezone: 'UTC', weekly: never, exceptions };
    const path = `/api/v1/departments/${company.department.id}`;
    expectStatus(await company.tenant.owner.api.put(path, { opening_hours }), 200);
    const customer = await CustomerPage.open(await scene.customerPage(), company.link);
    await customer.waitFor('closed');
    await customer.find('join-name').fill('Clara');
    await customer.page.getByLabel('E-mail').fill('clara@example.com');
    const keys = await refuseOnce(customer.page, '**/join');
    await customer.click('request-callback');
    await customer.page.getByText(COUNTDOWN).waitFor();
    await customer.page.getByRole('button', { name: 'Stop' }).click();
    await customer.page.getByText(COUNTDOWN).waitFor({ state: 'detached' });
    expect(keys).toHaveLength(1);
    await customer.click('request-callback');
    await customer.waitFor('callback');
    expect(keys).toEqual([expect.any(String), keys[0]]);
  });
});
