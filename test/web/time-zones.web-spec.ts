import { type DateForm, formatTimeAs } from '../../web/console/ui/dates';
import { expectStatus } from '../support/builders';
import { BarrierCheck } from './support/browser/barrier-check';
import { sharedBrowser } from './support/browser/chromium';
import { callScene } from './support/call-scene';
import { type Company, createCompany, webTest } from './support/company';
import { AgentPage } from './support/pages/agent-page';
import { CustomerPage } from './support/pages/customer-page';

const scene = callScene();
/** Of the companies. */
const ZONE = 'America/Sao_Paulo';
const TOKYO = { context: { timezoneId: 'Asia/Tokyo' } };
/** The only opening of a department. */
const OPENS_AT = new Date(Math.ceil((Date.now() + 20 * 60 * 60_000) / 60_000) * 60_000).toISOString();

/** Runs in the page: the browser was released before IANA added this zone. */
function forgetZone(zone: string): void {
  const { DateTimeFormat, supportedValuesOf } = Intl;
  const refuse = (options?: Intl.DateTimeFormatOptions) => {
    if (options?.timeZone === zone) throw new RangeError(`Invalid time zone specified: ${zone}`);
  };
  Intl.DateTimeFormat = new Proxy(DateTimeFormat, {
    apply: (target, _, [locale, options]) => (refuse(options), target(locale, options)),
    construct: (target, [locale, options]) => (refuse(options), new target(locale, options)),
  });
  Intl.supportedValuesOf = (key) => supportedValuesOf(key).filter((value) => value !== zone);
}

/** Closes the department until OPENS_AT. */
async function closedUntilThen({ tenant, department }: Company): Promise<void> {
  const [date, time] = formatInZone(OPENS_AT).split(', ');
  const never = Object.fromEntries(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'].map((day) => [day, []]));
  const opening_hours = {
    timezone: ZONE,
    weekly: never,
    exceptions: [{ date, intervals: [[time, '24:00']] }],
  };
  const path = `/api/v1/departments/${department.id}`;
  expectStatus(await tenant.owner.api.put(path, { opening_hours }), 200);
}

/** @returns `2026-12-24, 09:00` */
const formatInZone = (iso: string) =>
  new Intl.DateTimeFormat('en-CA', {
    timeZone: ZONE,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).format(new Date(iso));

/** The browser and Node put different spaces into times. */
const plain = (text: string | null) => (text ?? '').replaceAll(/\s/g, ' ');

const written = (form: DateForm, time: string | number, zone = ZONE) =>
  plain(formatTimeAs(form, time, 'en', zone));

describe('a browser that does not know the zone of the company', () => {
  it('shows customers the times on their own clock, and names its zone', async () => {
    const company = await createCompany();
    await closedUntilThen(company);
    const page = await scene.customerPage(TOKYO);
    await page.addInitScript(forgetZone, ZONE);
    const customer = await CustomerPage.open(page, company.link);
    await customer.waitFor('closed');
    const hour = plain(
      new Intl.DateTimeFormat('en', { hour: 'numeric', minute: '2-digit', timeZone: 'Asia/Tokyo' }).format(
        new Date(OPENS_AT),
      ),
    );
    const words = await page.locator('.statement').allTextContents();
    expect(words.map(plain)).toEqual([
      expect.stringMatching(`^We open .*${hour} \\(Japan (Standard )?Time\\)\\.$`),
    ]);
  });

  it('shows agents the times of the browser, says so on every page, and keeps the zone of the company', async () => {
    const company = await createCompany();
    const page = await scene.pages.open(await sharedBrowser(), 'owner', TOKYO.context);
    await page.addInitScript(forgetZone, ZONE);
    const owner = await AgentPage.signIn(page, company, company.tenant.owner);
    const notice = await owner.waitForId('unknown-zone');
    expect(await notice.textContent()).toBe(
      'This browser does not know the time zone of the company, America/Sao_Paulo. Times are shown in Asia/Tokyo.',
    );
    const check = new BarrierCheck();
    await check.look(page, 'an unknown zone');
    expect(check.found).toEqual([]);
    await owner.click('nav-appointments');
    await page.getByText('Times in the time zone of this browser: Asia/Tokyo').waitFor();
    await owner.click('nav-settings');
    expect(await page.getByLabel('Time zone').first().inputValue()).toBe(ZONE);
  });
});

describe('a browser in another zone than that of the company', () => {
  it('shows all times of the console in that of the company', async () => {
    const company = await createCompany();
    const { owner: member } = company.tenant;
    await closedUntilThen(company);
    // The day before in the zone of the company.
    const skill = await company.tenant.owner.api.post('/api/v1/skills', { name: 'Portuguese' });
    await webTest().db.query('UPDATE skills SET inserted_at = $2 WHERE id = $1', [
      skill.body.data.id,
      '2026-11-02T01:00:00Z',
    ]);
    const owner = await scene.agent(company, { member, ...TOKYO });
    const { page } = owner;
    const { body } = await member.api.get('/api/v1/users/me');
    const lastLogin = written('dateTime', body.data.last_login_at);
    await owner.click('nav-wall');
    const closed = await owner.waitForId('line-closed');
    expect(plain(await closed.textContent())).toContain(written('dateTime', OPENS_AT));
    await owner.click('nav-users');
    await page.getByText(lastLogin).first().waitFor();
    await owner.click('nav-skills');
    await page.getByText(written('date', '2026-11-01T12:00:00Z')).waitFor();
    await owner.click('account-menu');
    await owner.click('nav-account');
    const session = await owner.waitForId('session');
    expect(plain(await session.first().textContent())).toContain(lastLogin);
    expect(plain(await page.getByRole('main').textContent())).toContain(`Last login${lastLogin}`);
  });

  it('shows the period of the plan in the days that the service counts', async () => {
    const company = await createCompany();
    const { owner: member } = company.tenant;
    const owner = await scene.agent(company, { member, context: { timezoneId: ZONE } });
    await owner.click('nav-plan');
    await owner.waitForId('plan-status');
    const { data } = (await member.api.get('/api/v1/billing/plan')).body;
    const first = written('date', data.current_period_start, 'UTC');
    const last = written('date', Date.parse(data.current_period_end) - 1, 'UTC');
    expect(first).toMatch(/^1 /);
    expect(plain(await owner.page.getByRole('main').textContent())).toContain(`${first} – ${last}`);
  });
});
