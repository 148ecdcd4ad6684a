import { expectStatus } from '../support/builders';
import { until } from '../support/until';
import { BarrierCheck } from './support/browser/barrier-check';
import { callScene } from './support/call-scene';
import { type Company, createCompany, webTest } from './support/company';
import { CustomerPage } from './support/pages/customer-page';

const scene = callScene();
let company: Company;

beforeAll(async () => {
  company = await createCompany({ max_queue_size: 1 });
});

/** Opens the page of a link that is no good. @returns its title */
async function titleOf(link: { token: string }): Promise<string> {
  const page = await scene.customerPage();
  const customer = await CustomerPage.open(page, link);
  const title = (await (await customer.waitForId('error-title')).textContent()) ?? '';
  expect(await customer.find('join-submit').count()).toBe(0);
  return title;
}

describe('the page of a link', () => {
  it('that nobody made says so', async () => {
    expect(await titleOf({ token: 'no-such-link' })).toBe('This link does not work');
  });

  it('that has expired says so', async () => {
    const link = await company.tenant.link(company.department.id);
    await webTest().db.query(`UPDATE access_links SET expires_at = now() - interval '1 hour' WHERE id = $1`, [
      link.id,
    ]);
    expect(await titleOf(link)).toBe('This link has expired');
  });

  it('that was cancelled says so', async () => {
    const link = await company.tenant.link(company.department.id);
    expectStatus(await company.tenant.owner.api.post(`/api/v1/access-links/${link.id}/cancel`), 200);
    expect(await titleOf(link)).toBe('This link was cancelled');
  });

  it('that has been used says so, but not in the browser that used it', async () => {
    const { tenant } = await createCompany();
    const department = await tenant.department();
    const link = await tenant.link(department.id, { max_uses: 1 });
    const customer = await CustomerPage.join(await scene.customerPage(), link);
    // The page of a link may be two seconds old.
    await until(async () => (await fetch(`${webTest().url}/c/${link.token}`)).status === 404);
    expect(await titleOf(link)).toBe('This link has been used already');
    await customer.reload();
    await customer.waitFor('waiting');
    await customer.leaveLine();
    expect(await customer.page.locator('main').textContent()).toContain('This link has been used already');
    expect(await customer.find('start-over').count()).toBe(0);
  });

  it('of a closed department shows when it opens', async () => {
    const { tenant } = company;
    const department = await tenant.department({
      opening_hours: { timezone: 'America/Sao_Paulo', weekly: {}, exceptions: [nextYear()] },
    });
    const customer = await CustomerPage.open(await scene.customerPage(), await tenant.link(department.id));
    await customer.waitFor('closed');
    expect(await (await customer.waitForId('error-title')).textContent()).toBe('We are closed now');
    expect(await customer.page.locator('main').textContent()).toMatch(/We open .*10:00/s);
  });

  it('of a closed department shows its message and takes a request to be called back', async () => {
    const { tenant } = company;
    const department = await tenant.department({
      opening_hours: { timezone: 'America/Sao_Paulo', weekly: {}, exceptions: [nextYear()] },
      closed_message: 'In an emergency:\ncall +55 11 4000-1234',
      callback_enabled: true,
    });
    const check = new BarrierCheck();
    const link = await tenant.link(department.id, { max_uses: 1 });
    const customer = await CustomerPage.open(await scene.customerPage(), link);
    await customer.waitFor('closed');
    expect(await (await customer.waitForId('closed-message')).innerText()).toBe(
      'In an emergency:\ncall +55 11 4000-1234',
    );
    await check.look(customer.page, 'closed, with callback');
    await customer.find('join-name').fill('Clara Customer');
    await customer.click('request-callback');
    // The message needs an address.
    await customer.page.locator('[data-testid="join-email"][aria-invalid]').waitFor();
    await customer.find('join-email').fill('clara@example.com');
    await customer.click('request-callback');
    await customer.waitFor('callback');
    expect(await customer.page.locator('main').textContent()).toMatch(/We open .*10:00/s);
    // Nothing but leaving can be chosen before the opening.
    expect(await customer.find('callback-cancel').count()).toBe(0);
    await check.look(customer.page, 'callback of a closed department');
    // Also with a link that is used up.
    await customer.reload();
    await customer.waitFor('callback');
    expect(await customer.page.locator('main').textContent()).toMatch(/We open .*10:00/s);
    expect(await customer.find('callback-cancel').count()).toBe(0);
    expect(check.found).toEqual([]);
    const { body } = await tenant.owner.api.get(`/api/v1/calls?department_id=${department.id}`);
    expect(body.data).toMatchObject([
      { status: 'queued', customer_name: 'Clara Customer', customer_email: 'clara@example.com' },
    ]);
  });

  it('of a full line says so when somebody joins', async () => {
    const first = await CustomerPage.open(await scene.customerPage(), company.link);
    const second = await CustomerPage.open(await scene.customerPage(), company.link);
    await first.join('First');
    await second.find('join-name').fill('Second');
    await second.click('join-submit');
    await second.waitFor('full');
    expect(await (await second.waitForId('error-title')).textContent()).toBe('The line is full');
  });
});

/** An opening hour far in the future. */
function nextYear() {
  const date = `${new Date().getUTCFullYear() + 1}-06-15`;
  return { date, intervals: [['10:00', '12:00']], label: 'Open day' };
}
