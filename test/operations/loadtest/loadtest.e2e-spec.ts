import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PASSWORD, TestTenant } from '../../support/builders';
import { cloneDatabase, connectionPool, type TestConnection } from '../../support/database/database';
import { ensureBuilt, REPOSITORY } from '../../support/service/built-service';
import { DataDir } from '../../support/service/data-dir';
import { ServiceProcess, stopServices } from '../../support/service/service-process';
import { until } from '../../support/until';

// It measures a whole installation: while others need all processors, the service answers some requests with 503, which are errors.
jest.retryTimes(2, { logErrorsBeforeRetry: true });

const GENEROUS = { AUTH_RATE_LIMIT: '1000', AUTH_ADDRESS_RATE_LIMIT: '1000', PUBLIC_RATE_LIMIT: '100000' };
const SHORT = ['--answer-seconds', '0.1', '--talk-seconds', '0.5', '--join-rate', '20'];

let database: Awaited<ReturnType<typeof cloneDatabase>>;
let db: TestConnection;
const secrets = new DataDir();
const folder = mkdtempSync(join(tmpdir(), 'video-queue-loadtest-'));

beforeAll(async () => {
  await ensureBuilt();
  database = await cloneDatabase();
  db = connectionPool(database.url);
});

// After each test, because one that failed is tried again.
afterEach(stopServices);

afterAll(async () => {
  await db.end();
  await database.drop();
  secrets.remove();
  rmSync(folder, { recursive: true });
});

const start = (limits: Record<string, string>) =>
  ServiceProcess.start({ DATABASE_URL: database.url, DATA_DIR: secrets.path, ...limits });

/** Runs the command as an operator does. */
function loadTest(args: string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, ['loadtest/main.mjs', ...args], {
    cwd: REPOSITORY,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => (output.stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output.stderr += chunk.toString()));
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  return { output, ended };
}

/** Creates a company. @returns the options with which its owner tests the service, and its id */
async function newCompany(service: ServiceProcess): Promise<{ options: string[]; id: string }> {
  const { id, slug, owner } = await TestTenant.register({ url: service.url, api: service.api, db });
  return { id, options: ['--target', service.url, '--tenant', slug, '--email', owner.email] };
}

describe('npm run loadtest', () => {
  it('drives customers and agents, finds nothing wrong, and leaves no agent or department behind', async () => {
    const { id, options } = await newCompany(await start(GENEROUS));
    const [json, report] = [join(folder, 'result.json'), join(folder, 'report.html')];
    const { output, ended } = loadTest(
      [
        ...options,
        '--customers',
        '16',
        '--agents',
        '4',
        '--departments',
        '2',
        '--minutes',
        '0.12',
        '--json',
        json,
        '--report',
        report,
        ...SHORT,
      ],
      { LOADTEST_PASSWORD: PASSWORD },
    );
    const code = await ended;
    expect({ code, ...output }).toEqual({
      code: 0,
      stdout: expect.stringContaining('Passed.'),
      // On a busy machine it takes so long that it says how far it is.
      stderr: expect.stringMatching(/^(\d+ s · .* joined · .*\n)*$/),
    });
    const result = JSON.parse(readFileSync(json, 'utf8'));
    expect(result).toMatchObject({
      errors: {},
      wrong_positions: { count: 0 },
      doubled_offers: { count: 0 },
      lost_events: { count: 0 },
    });
    const { counts, wrong_positions, lost_events, doubled_offers, steps, timeline } = result;
    expect(counts.completed).toBeGreaterThan(5);
    expect(counts.rated).toBe(counts.completed);
    expect(counts.joined).toBe(counts.completed + counts.left);
    expect(doubled_offers.offers).toBeGreaterThanOrEqual(counts.completed);
    expect(wrong_positions.checked).toBeGreaterThan(counts.joined);
    expect(wrong_positions.checked_with_staff).toBeGreaterThan(0);
    // The start, the end, two messages, a description and several candidates of each side.
    expect(lost_events.expected).toBeGreaterThan(10 * counts.completed);
    const measured = ['login', 'join', 'connect', 'offer', 'accept', 'started', 'signal', 'complete', 'rate'];
    expect(Object.keys(steps)).toEqual(expect.arrayContaining(measured));
    expect(timeline.some(({ waiting, active }: Record<string, number>) => waiting && active)).toBe(true);
    const html = readFileSync(report, 'utf8');
    expect(html).toContain('Passed');
    expect(html).not.toMatch(/NaN|undefined|https?:\/\/(?!127\.0\.0\.1)/);
    const { rows } = await db.query(
      `SELECT (SELECT count(*)::int FROM users
           WHERE tenant_id = $1 AND active AND email LIKE '%loadtest.example') AS agents,
         (SELECT count(*)::int FROM departments WHERE tenant_id = $1) AS departments,
         (SELECT count(*)::int FROM calls
           WHERE tenant_id = $1 AND status NOT IN ('completed', 'cancelled')) AS calls`,
      [id],
    );
    expect(rows).toEqual([{ agents: 0, departments: 0, calls: 0 }]);
  });

  it('names the limit that it meets, and fails when the service is killed', async () => {
    const service = await start({ ...GENEROUS, PUBLIC_RATE_LIMIT: '6' });
    const { id, options } = await newCompany(service);
    const { output, ended } = loadTest(
      [
        ...options,
        '--customers',
        '8',
        '--agents',
        '1',
        '--minutes',
        '0.06',
        '--timeout-seconds',
        '1',
        ...SHORT,
      ],
      { LOADTEST_PASSWORD: PASSWORD },
    );
    await until(async () => {
      const { rows } = await db.query(`SELECT FROM calls WHERE tenant_id = $1 AND status = 'active'`, [id]);
      return rows.length > 0;
    });
    await service.kill();
    expect(await ended).toBe(1);
    expect(output.stdout).toMatch(/× connect: transport close/);
    expect(output.stdout).toMatch(/Not passed: .*Raise PUBLIC_RATE_LIMIT there/);
    expect(output.stderr).toContain('The agents and departments of the test remain: ');
  });

  it('tests no other machine by mistake', async () => {
    const { output, ended } = loadTest([
      '--target',
      'http://192.0.2.1',
      '--customers',
      '1',
      '--agents',
      '1',
      '--minutes',
      '1',
    ]);
    expect(await ended).toBe(2);
    expect(output.stderr).toContain('192.0.2.1 is not this machine');
  });
});
