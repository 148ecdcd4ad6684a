import type { Browser } from 'puppeteer-core';
import { type Member, PASSWORD } from '../../support/builders';
import { until } from '../../support/until';
import { type Company, createCompany } from '../support/company';
import { type Engine, launchEngine, Person } from './person';
import { VirtualDesktop } from './virtual-desktop';

let desktop: VirtualDesktop;
const browsers = new Map<Engine, Browser>();

beforeAll(async () => {
  desktop = await VirtualDesktop.start();
  for (const engine of ['chromium', 'firefox'] as const) {
    browsers.set(engine, await launchEngine(engine, desktop.env));
  }
});
afterAll(async () => {
  for (const browser of browsers.values()) await browser.close();
  await desktop?.stop();
});

function open(engine: Engine, path: string): Promise<Person> {
  const browser = browsers.get(engine);
  if (!browser) throw new Error(`${engine} did not start`);
  return Person.open(browser, path);
}

/** Signs somebody in to the console by its form. */
async function logIn(engine: Engine, { tenant }: Company, member: Member | undefined): Promise<Person> {
  const agent = await open(engine, '/console');
  await agent.fill('login-tenant', tenant.slug);
  await agent.fill('login-email', member?.email ?? '');
  await agent.fill('login-password', PASSWORD);
  await agent.click('login-submit');
  await agent.see('presence');
  return agent;
}

/** Waits until each hears the other one and sees a moving picture of them. */
const meet = (...people: Person[]) =>
  Promise.all(people.flatMap((person) => [person.seeOtherSide(), person.hearOtherSide()]));

describe.each([
  { customerEngine: 'firefox', agentEngine: 'chromium' },
  { customerEngine: 'chromium', agentEngine: 'firefox' },
] as const)(
  'a customer in $customerEngine and an agent in $agentEngine',
  ({ customerEngine, agentEngine }) => {
    it('talk, reload, share the screen, record, transfer and rate', async () => {
      const company = await createCompany({ agents: 2, offer_timeout: 120 });
      const { owner } = company.tenant;
      const call = async () => (await owner.api.get('/api/v1/calls')).body.data[0];

      const customer = await open(customerEngine, `/c/${company.link.token}`);
      await customer.page.waitForSelector('html[data-ready="true"]');
      await customer.fill('join-name', 'Clara Customer');
      await customer.click('join-submit');
      await customer.see('queue-position');
      expect(await customer.textOf('queue-position')).toBe('1');

      const agent = await logIn(agentEngine, company, company.agents[0]);
      await agent.click('answer');
      await customer.click('ready');
      await meet(agent, customer);

      await customer.reload();
      await meet(agent, customer);
      await agent.reload();
      await meet(agent, customer);

      await agent.click('record');
      await customer.click('recording-consent');
      await customer.see('recording-notice');

      const face = await agent.seeOtherSide();
      await customer.click('share-screen');
      await until(async () => ![face, undefined].includes(await agent.shownTrack()));
      await customer.click('share-screen');
      await until(async () => (await agent.shownTrack()) === face);
      await agent.seeOtherSide();

      await customer.click('recording-stop');
      const recordings = async () =>
        (await owner.api.get(`/api/v1/calls/${(await call()).id}/recordings`)).body.data;
      await until(async () => (await recordings())[0]?.duration > 0);

      const colleague = company.agents[1];
      const other = await logIn(agentEngine, company, colleague);
      await agent.click('transfer');
      await agent.choose('transfer-target', `agent:${colleague?.id}`);
      await agent.click('transfer-submit');
      await other.click('offer-accept');
      await meet(other, customer);
      expect(await call()).toMatchObject({ status: 'active', user_id: colleague?.id });

      await customer.click('hang-up');
      await customer.click('rating-5');
      await customer.click('rating-submit');
      await customer.see('rating-thanks');
      expect(await call()).toMatchObject({ status: 'completed', rating: 5, has_recording: true });
    });
  },
);
