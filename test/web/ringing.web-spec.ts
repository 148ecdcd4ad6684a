import type { BrowserContextOptions } from 'playwright-core';
import { until } from '../support/until';
import { audioStates, recordRings, ringsOf, showTab } from './support/browser/ringing';
import { callScene } from './support/call-scene';
import { type Company, createCallingCompany, createCompany } from './support/company';
import { CustomerPage } from './support/pages/customer-page';

const scene = callScene();
const MARK = '●';
/** Two notes each time. */
const TWO_RINGS = 4;

/** A customer in the line, who looks at another tab. */
async function waitingInBackground(
  company: Company,
  context: BrowserContextOptions = { reducedMotion: 'no-preference' },
) {
  const page = await scene.customerPage({ context });
  await recordRings(page);
  const customer = await CustomerPage.join(page, company.link);
  await showTab(page, false);
  return customer;
}

/** What the tab has shown from the first mark on; nothing before it. */
async function titlesSinceMark({ page }: CustomerPage): Promise<string[]> {
  const { titles } = await ringsOf(page);
  const first = titles.findIndex((title) => title.startsWith(MARK));
  return first === -1 ? [] : titles.slice(first);
}

/** Until the page has rung twice. */
async function titlesWhileRinging(customer: CustomerPage): Promise<string[]> {
  const before = (await ringsOf(customer.page)).notes;
  await until(async () => (await ringsOf(customer.page)).notes >= before + TWO_RINGS);
  return titlesSinceMark(customer);
}

async function invite(customer: CustomerPage): Promise<void> {
  await customer.click('request-callback');
  await customer.find('callback-email').fill('clara@customer.example');
  await customer.click('callback-submit');
  await customer.waitForId('callback-return');
}

async function answer(company: Company): Promise<void> {
  const { api } = company.agents[0] ?? company.tenant.owner;
  const { body } = await api.get('/api/v1/calls');
  await api.post(`/api/v1/calls/${body.data[0].id}/assign`);
  await api.post(`/api/v1/calls/${body.data[0].id}/start`);
}

describe('a page in the background', () => {
  it('rings for an invitation to return, until the customer does something', async () => {
    const customer = await waitingInBackground(await createCallingCompany());
    await invite(customer);
    expect(await titlesWhileRinging(customer)).toContain(`${MARK} It is nearly your turn`);
    await until(async () => (await titlesSinceMark(customer)).some((title) => !title.startsWith(MARK)));
    expect((await ringsOf(customer.page)).notifications).toEqual(['It is nearly your turn']);

    await customer.page.keyboard.press('Shift');
    const { notes } = await ringsOf(customer.page);
    const seconds = new Set<string>();
    // The title goes on changing, each second: three of them are longer than the pause between two rings.
    await until(async () => seconds.add((await ringsOf(customer.page)).titles.length.toString()).size > 3);
    expect((await ringsOf(customer.page)).notes).toBe(notes);
  });

  it('does not blink where motion is unwelcome', async () => {
    const company = await createCallingCompany();
    const customer = await waitingInBackground(company, { reducedMotion: 'reduce' });
    await invite(customer);
    const titles = await titlesWhileRinging(customer);
    expect(titles.length).toBeGreaterThan(0);
    expect(titles.filter((title) => !title.startsWith(MARK))).toEqual([]);
  });

  it('rings for a call that has begun already, until the customer looks', async () => {
    const company = await createCompany();
    const customer = await waitingInBackground(company);
    await answer(company);
    await customer.waitFor('in_call');
    expect(await titlesWhileRinging(customer)).toContain(`${MARK} It is your turn!`);
    expect((await ringsOf(customer.page)).notifications).toEqual(['It is your turn']);

    await showTab(customer.page, true);
    await until(async () => !(await customer.page.title()).startsWith(MARK));
    // A context that runs keeps the audio hardware of a phone awake.
    await until(async () => (await audioStates(customer.page)).join() === 'suspended');
    // A customer who looks elsewhere during the call has not been called again.
    await showTab(customer.page, false);
    expect(await customer.page.title()).not.toContain(MARK);
  });
});
