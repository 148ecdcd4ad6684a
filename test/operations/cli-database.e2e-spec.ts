import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { NestFactory } from '@nestjs/core';
import { cnpj } from 'cpf-cnpj-validator';
import { lockDataDir } from '../../src/platform/database/embedded/data-dir-lock';
import { AccessChanged } from '../../src/identity/sessions/session.events';
import { UserCreated, UserInvited } from '../../src/identity/users/user.events';
import { OperatorModule } from '../../src/operator/operator.module';
import { SubscriptionUpdated } from '../../src/plans/subscription.events';
import { CONFIG, type Config } from '../../src/platform/config/config';
import type { EventClass } from '../../src/platform/events/domain-event';
import { EventBus } from '../../src/platform/events/event-bus';
import { TenantResumed, TenantSuspended } from '../../src/tenancy/tenant.events';
import { ensureBuilt } from '../support/service/built-service';
import { Operator, runCli, startCli } from '../support/service/cli';
import { asSuperuser, cloneDatabase } from '../support/database/database';
import { DataDir, isAlive } from '../support/service/data-dir';
import { ServiceProcess, stopServices } from '../support/service/service-process';
import { startTestApp, type TestApp } from '../support/test-app';
import { until } from '../support/until';

beforeAll(ensureBuilt);

function create(email: string): string[] {
  const options = {
    name: 'Padaria Central',
    document: cnpj.generate(),
    'document-type': 'cnpj',
    'admin-name': 'Ana Souza',
    'admin-email': email,
  };
  return ['tenant', 'create', ...Object.entries(options).flatMap(([name, value]) => [`--${name}`, value])];
}

describe('a command on the embedded database', () => {
  let dataDir: DataDir;

  beforeEach(() => {
    dataDir = new DataDir();
  });

  afterEach(async () => {
    await stopServices();
    dataDir.remove();
  });

  const run = (...args: string[]) => runCli(args, { DATA_DIR: dataDir.path });
  const mails = () => {
    const folder = join(dataDir.path, 'mail');
    return existsSync(folder)
      ? readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'))
      : [];
  };

  it('works before the first start but after `migrate`, stops its server and leaves its jobs to the service', async () => {
    const refused = await run('tenant', 'list');
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toMatch(/^The database is behind this version: .*`npm run cli -- migrate`/);
    expect(await run('migrate')).toMatchObject({ code: 0, stderr: '' });
    expect(await run(...create('ana@example.com'))).toMatchObject({ code: 0, stderr: '' });
    expect(dataDir.postmaster).toBeUndefined();
    await (await lockDataDir(dataDir.path)).release();
    expect(mails()).toEqual([]);

    await ServiceProcess.start({ DATA_DIR: dataDir.path, SEED_DEMO: 'false' });
    const mail = await until(
      () => mails()[0],
      () => 'the invitation was never written',
    );
    expect(mail).toContain('ana@example.com');
  });

  it('uses the server of a running service and leaves it running', async () => {
    const service = await ServiceProcess.start({ DATA_DIR: dataDir.path });
    const { postmaster = 0 } = dataDir;
    const shown = await run('tenant', 'show', 'demo', '--json');
    expect(shown).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(shown.stdout)).toMatchObject({ slug: 'demo', plan: 'enterprise' });
    expect(isAlive(postmaster)).toBe(true);
    expect((await service.api.get('/readyz')).status).toBe(200);
  });

  it('waits for commands that run concurrently', async () => {
    expect((await run('migrate')).code).toBe(0);
    const outcomes = await Promise.all(
      ['one', 'two', 'three'].map((name) => run(...create(`${name}@example.com`))),
    );
    expect(outcomes.map(({ code, stderr }) => [code, stderr])).toEqual([
      [0, ''],
      [0, ''],
      [0, ''],
    ]);
    const listed = await run('tenant', 'list', '--json');
    expect(JSON.parse(listed.stdout)).toHaveLength(3);
    expect(dataDir.postmaster).toBeUndefined();
  });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('stops its server when it is interrupted by %s', async (signal, status) => {
    const command = startCli(['migrate'], { DATA_DIR: dataDir.path });
    const postmaster = await until(
      () => dataDir.postmaster,
      () => 'the server was never started',
    );
    command.kill(signal);
    expect((await command.outcome).code).toBe(status);
    expect(isAlive(postmaster)).toBe(false);
    expect(await run('migrate')).toMatchObject({ code: 0, stderr: '' });
    expect(await run('tenant', 'list')).toMatchObject({ code: 0, stdout: 'No tenants.\n' });
  });
});

describe('a command that cannot run', () => {
  it.each<[string, Record<string, string>, RegExp]>([
    [
      'in production without the required variables',
      { NODE_ENV: 'production' },
      /^The configuration is invalid:\n[^]*DATABASE_URL: is required when NODE_ENV is production[^]*ENCRYPTION_KEY: is required/,
    ],
    [
      'without a database that answers',
      { DATABASE_URL: 'postgres://nobody:hush-hush@127.0.0.1:1/nothing' },
      /^The database does not answer: .*ECONNREFUSED.*Check DATABASE_URL\.\n$/,
    ],
    [
      'with a login that the database rejects',
      { DATABASE_URL: process.env.TEST_DATABASE_URL?.replace(/\/\/[^@]+@/, '//nobody:hush-hush@') ?? '' },
      /^PostgreSQL: password authentication failed for user "nobody"\n$/,
    ],
  ])('%s prints the reason and exits with 1', async (_why, variables, message) => {
    const dataDir = new DataDir();
    const { code, stdout, stderr } = await runCli(['tenant', 'list'], {
      DATA_DIR: dataDir.path,
      ...variables,
    });
    dataDir.remove();
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(message);
    expect(stderr).not.toContain('hush-hush');
    expect(stderr).not.toMatch(/^ +at /m);
  });
});

it('a command exits and leaves no connections, leases or schedules behind', async () => {
  const { url, drop } = await cloneDatabase();
  const variables = { DATABASE_URL: url, DATA_DIR: process.env.TEST_DATA_DIR ?? '' };
  expect(await runCli(create('ana@example.com'), variables)).toMatchObject({ code: 0, stderr: '' });
  const left = await asSuperuser(url, async (client) => {
    const { rows } = await client.query(
      `SELECT (SELECT count(*)::int FROM pg_stat_activity
           WHERE datname = current_database() AND pid <> pg_backend_pid()
             AND backend_type = 'client backend') AS connections,
         (SELECT count(*)::int FROM instances) AS instances,
         (SELECT count(*)::int FROM pgboss.schedule) AS schedules,
         (SELECT array_agg(name || ' ' || state) FROM pgboss.job) AS jobs`,
    );
    return rows;
  });
  await drop();
  expect(left).toEqual([{ connections: 0, instances: 0, schedules: 0, jobs: ['mail-invitation created'] }]);
});

describe('a command beside a running service', () => {
  let test: TestApp;

  beforeAll(async () => {
    test = await startTestApp();
  });

  afterAll(() => test.close());

  it.each([
    ['trace', /LOG/],
    ['info', /^$/],
  ])('with LOG_LEVEL=%s logs to standard error only', async (level, logged) => {
    const { stdout, stderr } = await new Operator(test, { LOG_LEVEL: level }).tryRun([
      'tenant',
      'list',
      '--json',
    ]);
    expect(JSON.parse(stdout)).toEqual(expect.any(Array));
    expect(stderr).toMatch(logged);
  });

  it('has the same listeners for its events as the service, except for after-commit listeners', async () => {
    const recorded: EventClass[] = [
      AccessChanged,
      SubscriptionUpdated,
      TenantResumed,
      TenantSuspended,
      UserCreated,
      UserInvited,
    ];
    const listenersOf = (events: EventBus) =>
      recorded.flatMap((event) =>
        events['listeners']
          .filter(({ phase }) => phase !== 'after_commit')
          .filter((listener) => event === listener.event || event.prototype instanceof listener.event)
          .map((listener) => [
            event.name,
            listener.phase,
            'name' in listener ? listener.name : listener.call.name,
          ])
          .toSorted(),
      );
    const config = test.app.get<Config>(CONFIG);
    const command = await NestFactory.createApplicationContext(OperatorModule.with(config), {
      logger: false,
    });
    const [commandListeners, serviceListeners] = [
      listenersOf(command.get(EventBus, { strict: false })),
      listenersOf(test.get(EventBus)),
    ];
    await command.close();
    expect(commandListeners).toEqual(serviceListeners);
    expect(serviceListeners).toContainEqual(['UserInvited', 'durable', 'mail-invitation']);
    expect(serviceListeners.map(([event]) => event)).toContain('TenantSuspended');
  });
});
