import { until } from '../support/until';
import { expectStatus } from '../support/builders';
import { showTab } from './support/browser/ringing';
import { callScene } from './support/call-scene';
import { createCompany } from './support/company';
import { CustomerPage } from './support/pages/customer-page';

const scene = callScene();
const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
/** Opens in twelve hours, for one minute. */
const IN_TWELVE_HOURS = (new Date().getUTCHours() + 12) % 24;
const timeOf = (minute: string) => `${String(IN_TWELVE_HOURS).padStart(2, '0')}:${minute}`;
const SELDOM_OPEN = {
  timezone: 'UTC',
  weekly: Object.fromEntries(DAYS.map((day) => [day, [[timeOf('00'), timeOf('01')]]])),
};
const DAY_MS = 86_400_000;
const CHECKED = /^Checked at .*\d:\d\d.*: nothing has changed yet\.$/;

/** The page of a closed department. */
async function closedDepartment() {
  const { tenant } = await createCompany();
  const department = await tenant.department({ opening_hours: SELDOM_OPEN });
  const page = await scene.customerPage();
  await page.clock.install();
  const customer = await CustomerPage.open(page, await tenant.link(department.id));
  await customer.waitFor('closed');
  const path = `/api/v1/departments/${department.id}`;
  return {
    customer,
    open: async () => expectStatus(await tenant.owner.api.put(path, { opening_hours: null }), 200),
  };
}

/** Tries again, and waits until the page says that nothing has changed. @returns its words */
async function triedInVain(customer: CustomerPage): Promise<string> {
  await customer.click('start-over');
  const words = customer.find('unchanged');
  await until(async () => CHECKED.test((await words.textContent()) ?? ''));
  expect(await words.getAttribute('role')).toBe('status');
  return (await words.textContent()) ?? '';
}

describe('the page of a closed department', () => {
  it('says each time when it has checked, and shows the form once it is open', async () => {
    const { customer, open } = await closedDepartment();
    const first = await triedInVain(customer);
    await customer.page.clock.fastForward(2_000);
    await until(async () => (await triedInVain(customer)) !== first);
    await open();
    await customer.click('start-over');
    await customer.waitFor('form');
  });

  it('opens by itself at the opening time, in the background, too', async () => {
    const { customer, open } = await closedDepartment();
    await showTab(customer.page, false);
    await open();
    await customer.page.clock.fastForward(DAY_MS);
    await customer.waitFor('form');
  });
});

it('the page of a full line joins as soon as there is room, with what was typed', async () => {
  const company = await createCompany({ max_queue_size: 1 });
  const second = await CustomerPage.open(await scene.customerPage(), company.link);
  await second.waitFor('form');
  const first = await scene.waiting(company);
  await second.find('join-name').fill('Second');
  await second.click('join-submit');
  await second.waitFor('full');
  await triedInVain(second);
  await first.leaveLine();
  await second.click('start-over');
  await second.waitFor('waiting');
  const { body } = await company.tenant.owner.api.get('/api/v1/calls?status=queued');
  expect(body.data).toMatchObject([{ customer_name: 'Second' }]);
});
