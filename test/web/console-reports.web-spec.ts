import { readFileSync } from 'node:fs';
import type { Download } from 'playwright-core';
import { expectStatus } from '../support/builders';
import { WebhookReceiver } from '../support/peers/webhook-receiver';
import { BarrierCheck } from './support/browser/barrier-check';
import { callScene } from './support/call-scene';
import { createCompany, type Company, webTest } from './support/company';
import type { AgentPage } from './support/pages/agent-page';
import { PATIENCE_MS } from './support/pages/test-id';

const scene = callScene();

/** Waits until one of the elements with the test id has the text. */
async function waitForText(console: AgentPage, id: string, text: string | RegExp): Promise<void> {
  await console.find(id).filter({ hasText: text }).first().waitFor({ timeout: PATIENCE_MS });
}

/** A company with two calls. */
async function companyWithCalls(): Promise<Company> {
  const company = await createCompany();
  for (const name of ['Clara, "the first"', 'Carlos']) {
    await company.tenant.join(company.link as never, { name });
  }
  // In one hour, at its end, too.
  await webTest().db.query(
    `UPDATE calls SET inserted_at = (SELECT min(inserted_at) FROM calls WHERE tenant_id = $1) WHERE tenant_id = $1`,
    [company.tenant.id],
  );
  return company;
}

/** Adds three unanswered calls in the period before the last 30 days. */
async function addEarlierCalls({ tenant, department }: Company): Promise<void> {
  await webTest().db.query(
    `INSERT INTO calls (tenant_id, department_id, department_name, status, customer_name, estimated_wait_time,
       inserted_at, updated_at, ended_at)
     SELECT $1, $2, 'Support', 'missed', 'Early', 0, at, at, at
     FROM (SELECT now() - interval '40 days' AS at FROM generate_series(1, 3)) early`,
    [tenant.id, department.id],
  );
}

/**
 * Lets an export arrive as on a slow network: its first row at once, and the others never. Stands in for the network alone,
 * the file is the service's.
 */
const slowDown = ({ page }: AgentPage) =>
  page.evaluate(() => {
    const { fetch } = window;
    window.fetch = async (input, init) => {
      const response = await fetch(input, init);
      if (!(input instanceof Request) || !input.url.includes('/export/')) return response;
      window.fetch = fetch;
      const [header, first] = (await response.text()).split('\r\n');
      const body = new ReadableStream({
        start(stream) {
          stream.enqueue(new TextEncoder().encode(`${header}\r\n${first}\r\n`));
          input.signal.addEventListener('abort', () => stream.error(input.signal.reason));
        },
      });
      return new Response(body, response);
    };
  });

describe('the console shows what has happened', () => {
  const check = new BarrierCheck();

  beforeEach(() => check.reset());
  afterEach(() => expect(check.found).toEqual([]));

  it('as figures of a period, drawn and as tables', async () => {
    const company = await companyWithCalls();
    await addEarlierCalls(company);
    const manager = await scene.agent(company, { member: company.tenant.owner });
    await manager.click('nav-reports');
    await manager.click('report-refresh');
    await waitForText(manager, 'figure-total_calls', /^Calls2▼ DownPeriod before: 3$/);
    await waitForText(manager, 'figure-missed_calls', /^Missed0▼ Down, betterPeriod before: 3$/);
    await manager.find('report-hourly').locator('canvas').waitFor();
    await check.look(manager.page, 'reports');
    await manager.find('report-hourly').getByText('Table', { exact: true }).click();
    await manager
      .find('report-hourly')
      .getByRole('row', { name: /\d\d:00 2 0/ })
      .waitFor();
    // Not all plans have estimates; the period needs none.
    await manager.page.route('**/api/v1/analytics/estimates*', (route) => route.abort());
    await manager.find('report-period').selectOption('today');
    await waitForText(manager, 'figure-total_calls', /Calls2/);
    await manager.find('report-period').selectOption('own');
    await manager.find('report-from').fill('2020-01-01');
    await manager.find('report-to').fill('2020-01-02');
    await manager.waitForId('report-empty');
  });

  it('as figures of one moment, also after another interval and after a section that failed', async () => {
    const company = await companyWithCalls();
    const manager = await scene.agent(company, { member: company.tenant.owner });
    const { page } = manager;
    const refused = { status: 400, json: { errors: { detail: 'Refused.', code: 'bad_request' } } };
    await page.route('**/api/v1/analytics/agents*', (route) => route.fulfill(refused));
    await manager.click('nav-reports');
    await waitForText(manager, 'figure-total_calls', /^Calls2/);
    const trends = manager.find('report-trends');
    await trends.getByText('Table', { exact: true }).click();
    const waitForBoth = async (calls: number) => {
      await trends.getByRole('row', { name: new RegExp(` ${calls} \\d+ \\d+`) }).waitFor();
      await waitForText(manager, 'figure-total_calls', new RegExp(`^Calls${calls}`));
    };
    await waitForBoth(2);

    await company.tenant.join(company.link as never, { name: 'Cora' });
    await trends.getByRole('combobox', { name: 'Points of the trend' }).selectOption('month');
    await waitForBoth(3);

    await company.tenant.join(company.link as never, { name: 'Conrad' });
    await page.unroute('**/api/v1/analytics/agents*');
    await manager.find('report-agents').getByRole('button', { name: 'Try again' }).click();
    await waitForBoth(4);
  });

  it('as a file with all rows, whose name and rows are those of the list, unless the export is cancelled', async () => {
    const company = await companyWithCalls();
    const member = await company.tenant.member('supervisor');
    const supervisor = await scene.agent(company, { member });
    // The dialog of the browser is nothing that a test could answer.
    await supervisor.page.evaluate(() => Object.assign(window, { showSaveFilePicker: undefined }));
    await supervisor.click('nav-exports');
    await waitForText(supervisor, 'export-count', '2');
    const downloads: Download[] = [];
    supervisor.page.on('download', (download) => downloads.push(download));
    await slowDown(supervisor);
    await supervisor.click('export-start');
    await waitForText(supervisor, 'export-running', /^1 of 2 rows, 0 MB so far/);
    const bar = supervisor
      .find('export-running')
      .getByRole('progressbar', { name: 'Progress of the export' });
    expect(await bar.getAttribute('aria-valuenow')).toBe('50');
    await check.look(supervisor.page, 'exports');
    await supervisor.click('export-cancel');
    await supervisor.page.getByText('The export was cancelled. No file was saved.').waitFor();
    expect(downloads).toEqual([]);
    const downloading = supervisor.page.waitForEvent('download', { timeout: PATIENCE_MS });
    await supervisor.click('export-start');
    const file = await downloading;
    await waitForText(supervisor, 'export-done', 'rows: 2');
    expect(file.suggestedFilename()).toMatch(/^calls-\d{4}-\d\d-\d\d\.csv$/);
    const lines = readFileSync(await file.path(), 'utf8')
      .trimEnd()
      .split('\r\n');
    expect(lines).toHaveLength(3);
    expect(lines.join()).toContain('"Clara, ""the first"""');
    await supervisor.page.getByRole('checkbox', { name: 'For Excel' }).check();
    const forExcel = supervisor.page.waitForEvent('download', { timeout: PATIENCE_MS });
    await supervisor.click('export-start');
    const bytes = readFileSync(await (await forExcel).path());
    expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    expect(bytes.toString()).toMatch(/^\ufeffid;status;/);
    expect(bytes.toString()).toContain(';"Clara, ""the first""";');
  });

  it('to other programs, which a test shows', async () => {
    const receiver = await WebhookReceiver.start();
    try {
      const company = await createCompany();
      const manager = await scene.agent(company, { member: company.tenant.owner });
      await manager.click('nav-webhooks');
      await manager.click('webhook-create');
      await manager.find('webhook-url').fill('ftp://example.com');
      await manager.click('save');
      await manager.waitForId('events-error');
      await check.look(manager.page, 'webhook, refused');
      await manager.find('events-calls').check();
      await manager.find('events-customers').check();
      await manager.click('save');
      await manager.page
        .locator('[data-testid="webhook-url"][aria-invalid="true"]:focus')
        .waitFor({ timeout: PATIENCE_MS });
      await manager.find('webhook-url').fill(receiver.url);
      await manager.click('save');
      await waitForText(manager, 'webhook-secret', /^whsec_/);
      const secret = await manager.find('webhook-secret').textContent();
      await manager.click('secret-close');
      await manager.click('webhook-test');
      await waitForText(manager, 'delivery-result', 'Delivered');
      await waitForText(manager, 'attempt', 'HTTP 200');
      expect((await receiver.waitForDeliveries(1))[0]?.payload.type).toBe('webhook.test');
      await check.look(manager.page, 'delivery');
      await manager.page.keyboard.press('Escape');
      await manager.waitUntilGone('delivery');
      await check.look(manager.page, 'webhook');

      await company.tenant.owner.api.post('/api/v1/customers', { name: 'Cora' });
      await receiver.waitForDeliveries(2);
      const row = manager.find('deliveries').getByRole('row', { name: /Customer created/ });
      await row.getByRole('button').click({ timeout: PATIENCE_MS });
      await waitForText(manager, 'delivery-result', 'Delivered');
      await manager.click('redeliver');
      await receiver.waitForDeliveries(3);
      await waitForText(manager, 'delivery-result', 'Delivered');
      await manager.page.keyboard.press('Escape');
      await manager.waitUntilGone('delivery');

      await manager.click('webhook-replay');
      await manager.click('save');
      await manager.page.locator('[data-testid="replay-from"][aria-invalid="true"]').waitFor();
      await manager.find('replay-from').fill('2020-01-01T00:00');
      await manager.page.getByLabel('Until', { exact: true }).focus();
      await manager.page.keyboard.type('0131');
      await manager.click('save');
      await manager.page.getByText('Complete this field.').waitFor();
      await manager.page.getByLabel('Until', { exact: true }).fill('');
      await manager.find('replay-status').selectOption('delivered');
      await manager.click('save');
      const received = await receiver.waitForDeliveries(4);
      expect(new Set(received.slice(1).map(({ id }) => id)).size).toBe(1);

      await manager.click('webhook-rotate');
      await manager.click('confirm');
      await waitForText(manager, 'webhook-secret', /^whsec_/);
      await manager.page.keyboard.press('Escape');
      expect(await manager.find('webhook-secret').textContent()).not.toBe(secret);
      await manager.click('secret-close');
      await manager.click('nav-webhooks');
      await waitForText(manager, 'webhook-state', 'Active');
      await check.look(manager.page, 'webhooks');
    } finally {
      await receiver.stop();
    }
  });

  it("at the times of the company's zone, in which periods are typed, too", async () => {
    const company = await createCompany();
    const { owner } = company.tenant;
    expectStatus(await owner.api.put('/api/v1/tenant', { timezone: 'Asia/Tokyo' }), 200);
    const { call_id } = await company.tenant.join(company.link as never, {
      name: 'Clara',
      email: 'clara@example.com',
    });
    const url = 'https://example.com/hook';
    const webhook = await owner.api.post('/api/v1/webhooks', { url, events: ['call.rated'] });
    expectStatus(webhook, 201);
    const at = '2026-01-31T20:30:00Z';
    for (const statement of [
      `UPDATE calls SET inserted_at = $2 WHERE tenant_id = $1`,
      `UPDATE customers SET last_call_at = $2 WHERE tenant_id = $1`,
      `INSERT INTO webhook_deliveries (tenant_id, webhook_id, event, payload, status, attempts, failures, inserted_at)
       SELECT tenant_id, id, 'call.rated', '{}', 'failed', 7, 7, $2 FROM webhooks WHERE tenant_id = $1`,
    ])
      await webTest().db.query(statement, [company.tenant.id, at]);
    const context = { timezoneId: 'America/Los_Angeles' };
    const manager = await scene.agent(company, { member: owner, context });
    const inTokyo = '01/02/2026, 05:30';

    await manager.click('nav-calls');
    await waitForText(manager, 'calls', inTokyo);
    await manager.find('calls').locator(`a[href$="${call_id}"]`).first().click();
    await manager.page.getByRole('row', { name: `Joined ${inTokyo}` }).waitFor();
    await manager.click('nav-customers');
    await waitForText(manager, 'customers', inTokyo);
    await manager.click('nav-audit');
    const [entry] = (await owner.api.get('/api/v1/audit-log?page_size=1')).body.data;
    const time = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium', timeZone: 'Asia/Tokyo' });
    await waitForText(manager, 'audit', time.format(new Date(entry.inserted_at)));

    await manager.click('nav-webhooks');
    await manager
      .find('webhooks')
      .getByRole('row', { name: /example\.com/ })
      .getByRole('link')
      .click();
    await waitForText(manager, 'deliveries', inTokyo);
    await manager.click('webhook-replay');
    await manager.page.getByText('Time zone: Asia/Tokyo').waitFor();
    await manager.find('replay-from').fill('2026-02-01T05:30');
    await manager.click('save');
    await manager.page.getByText('1 delivery is sent again.').waitFor();
  });

  it('as the audit log, by action and with its details', async () => {
    const company = await createCompany();
    const manager = await scene.agent(company, { member: company.tenant.owner });
    await manager.click('nav-audit');
    await waitForText(manager, 'audit', 'created a department');
    await check.look(manager.page, 'audit');
    await manager.find('audit-action').selectOption('login.succeeded');
    const rows = manager.find('audit').locator('.body [role="row"]');
    await rows.filter({ hasText: 'created a department' }).first().waitFor({ state: 'detached' });
    await rows.filter({ hasText: 'logged in' }).first().getByRole('button').click();
    await waitForText(manager, 'audit-entry', 'Second factor used');
    expect(await manager.find('audit-entry').textContent()).not.toMatch(/login\.succeeded|second_factor/);
    await check.look(manager.page, 'audit, entry');
  });
});
