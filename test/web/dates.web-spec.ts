import { type DateForm, formatRangeAs, formatTimeAs } from '../../web/console/ui/dates';
import { dayIn } from '../../web/console/ui/wall-time';
import { BarrierCheck } from './support/browser/barrier-check';
import { callScene } from './support/call-scene';
import { createCompany } from './support/company';

const scene = callScene();

const written = (form: DateForm, day = '') => formatTimeAs(form, day, 'pt', 'UTC');

/** The browser and Node put different spaces around a dash. */
const plain = (text: string | null) => text?.replaceAll(/\s/g, ' ');

it('days are typed and shown as the user’s language writes them, whatever the language of the browser', async () => {
  const company = await createCompany();
  const owner = await scene.agent(company, { member: company.tenant.owner });
  const { page } = owner;
  const check = new BarrierCheck();
  await owner.click('nav-exports');
  const from = await owner.waitForId('export-from');
  const filterOf = () => new URL(page.url()).searchParams.get('date_from');
  await from.fill('31/1/2027');
  await from.blur();
  expect(await from.inputValue()).toBe('31/01/2027');
  await page.waitForURL('**date_from=2027-01-31**');

  await from.fill('31/1');
  expect([filterOf(), await from.inputValue()]).toEqual(['2027-01-31', '31/1']);
  await from.blur();
  await page.getByText('Enter it like 31/01/2027.').waitFor();
  await check.look(page, 'a day that is half typed');
  expect(await from.inputValue()).toBe('31/1');
  await page.waitForURL((url) => !url.searchParams.has('date_from'));

  await from.fill('31012027');
  await page.waitForURL('**date_from=2027-01-31**');
  expect(await from.inputValue()).toBe('31012027');

  // As its calendar does.
  await page.locator('input[type=date]').first().fill('2027-02-03');
  await page.waitForURL('**date_from=2027-02-03**');
  expect(await from.inputValue()).toBe('03/02/2027');
  expect(await page.getByText('Enter it like').count()).toBe(0);

  await owner.click('account-menu');
  await page.getByRole('menuitemradio', { name: 'Português' }).click();
  await page.getByRole('button', { name: 'Abrir o calendário' }).first().waitFor();
  expect([filterOf(), await from.inputValue()]).toEqual(['2027-02-03', '03/02/2027']);
  expect(check.found).toEqual([]);
});

it('a half typed day goes with the filters that are cleared', async () => {
  const company = await createCompany();
  const owner = await scene.agent(company, { member: company.tenant.owner });
  const { page } = owner;
  await owner.click('nav-calls');
  await (await owner.waitForId('filter-status')).selectOption('completed');
  const from = page.getByLabel('From', { exact: true });
  await from.fill('31/1');
  await from.blur();
  await page.getByText('Enter it like 31/01/2027.').waitFor();
  await page.getByRole('button', { name: 'Clear the filters' }).click();
  await page.getByText('Enter it like 31/01/2027.').waitFor({ state: 'detached' });
  expect(await from.inputValue()).toBe('');
});

it('the calendar of the appointments writes days and times in the forms of the other pages', async () => {
  const company = await createCompany();
  const { owner: member } = company.tenant;
  const today = dayIn('America/Sao_Paulo');
  await member.api.post('/api/v1/appointments', {
    user_id: member.id,
    department_id: company.department.id,
    starts_at: `${today}T11:00:00-03:00`,
    ends_at: `${today}T11:30:00-03:00`,
  });
  const owner = await scene.agent(company, { member });
  const { page } = owner;
  await owner.click('account-menu');
  await page.getByRole('menuitemradio', { name: 'Português' }).click();
  await owner.click('nav-appointments');
  await page.getByRole('button', { name: 'Hoje', exact: true }).waitFor();
  await page.locator('.ec-event').waitFor();

  const heads = page.locator('.ec-col-head time');
  const days = await heads.evaluateAll((times) => times.map((time) => time.getAttribute('datetime') ?? ''));
  expect(days).toHaveLength(7);
  expect(await heads.allTextContents()).toEqual(days.map((day) => written('weekday', day)));
  expect(await page.locator('.ec-event time').textContent()).toBe('11:00 – 11:30');
  expect(await page.locator('.ec-sidebar time').allTextContents()).toContain('08:00');
  const title = page.locator('.ec-title');
  const week = formatRangeAs('date', [days[0] ?? '', days[6] ?? ''], 'pt', 'UTC');
  expect(plain(await title.textContent())).toBe(plain(week));
  await page.getByRole('button', { name: 'Mês', exact: true }).click();
  await page.getByLabel('segunda-feira', { exact: true }).waitFor();
  expect(await title.textContent()).toBe(written('month', today));
});
