import { once } from 'node:events';
import { existsSync, statSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { lockDataDir } from '../../src/platform/database/embedded/data-dir-lock';
import { freePort } from '../support/free-port';
import { asSuperuser, cloneDatabase } from '../support/database/database';
import { ensureBuilt } from '../support/service/built-service';
import { DataDir, isAlive } from '../support/service/data-dir';
import { ServiceProcess, stopServices } from '../support/service/service-process';
import { until } from '../support/until';

/** The advisory lock of a process that migrates. */
const MIGRATION_LOCK = 7_304_512;

let dataDir: DataDir;

beforeAll(ensureBuilt, 120_000);

beforeEach(() => {
  dataDir = new DataDir();
});

afterEach(async () => {
  await stopServices();
  dataDir.remove();
});

describe('the first start on an empty folder', () => {
  it('prints addresses, logins and a customer link, all of which work', async () => {
    const service = await ServiceProcess.start({ DATA_DIR: dataDir.path });
    const { output, api, port } = service;
    const base = `http://localhost:${port}`;

    expect(output).toContain(`is up at ${base}\n`);
    expect(output).toContain(`${base}/docs\n`);
    const docs = await api.get('/docs');
    expect([docs.status, docs.headers.get('content-type')]).toEqual([
      200,
      expect.stringMatching(/^text\/html/),
    ]);
    expect((await api.get('/readyz')).status).toBe(200);

    const [, tenant, password] = /tenant "(.+)", password "(.+)"/.exec(output) ?? [];
    const people = [...output.matchAll(/^ +(attendant|supervisor|manager|owner) +(\S+@\S+)$/gm)];
    expect(people.map(([, role]) => role)).toEqual(['attendant', 'supervisor', 'manager', 'owner']);
    for (const [, role, email] of people) {
      const login = await api.post('/api/auth/login', { tenant, email, password });
      expect([login.status, login.body.user?.role]).toEqual([200, role]);
      expect((await api.as(login.body.access_token).get('/api/v1/calls')).status).toBe(200);
    }

    const gatewayToken = /^ +asaas-access-token +(\S+)$/m.exec(output)?.[1] ?? '';
    expect(output).toContain(`POST ${base}/api/webhooks/asaas\n`);
    const payment = { id: 'evt_1', event: 'PAYMENT_CONFIRMED', payment: { externalReference: tenant } };
    const headers = { 'asaas-access-token': gatewayToken };
    expect((await api.post('/api/webhooks/asaas', payment, { headers })).status).toBe(200);

    const token = /Demo customer link +http:\/\/\S+\/c\/(\S+)/.exec(output)?.[1];
    const link = await api.get(`/api/v1/call/${token}/validate`);
    expect([link.status, link.body.data?.valid]).toEqual([200, true]);
  });

  it('creates its files without access for other users', async () => {
    await ServiceProcess.start({ DATA_DIR: join(dataDir.path, 'new'), SEED_DEMO: 'false' });

    expect(statSync(join(dataDir.path, 'new')).mode & 0o777).toBe(0o700);
    expect(statSync(join(dataDir.path, 'new', 'secrets', 'jwt')).mode & 0o777).toBe(0o600);
  });
});

describe('a start that has to wait for its database', () => {
  it('is alive but not ready, and refuses no connection until it is', async () => {
    const { url, drop } = await cloneDatabase();
    let service: ServiceProcess | undefined;
    await asSuperuser(url, async (migrator) => {
      await migrator.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
      service = await ServiceProcess.spawn({ DATA_DIR: dataDir.path, DATABASE_URL: url, SEED_DEMO: 'false' });
      const { api, ended } = service;
      await until(
        () => service?.output.includes('Waiting for another process that migrates the database.'),
        () => `the start did not wait: ${service?.output}`,
      );
      const stop = new AbortController();
      const statuses: number[] = [];
      const probes = (async () => {
        for (; !stop.signal.aborted; await delay(50)) statuses.push((await api.get('/healthz')).status);
      })();
      const readyz = await api.get('/readyz');
      expect([readyz.status, readyz.headers.get('retry-after')]).toEqual([
        503,
        expect.stringMatching(/^[123]$/),
      ]);
      const join = await api.post('/api/v1/call/unknown/join', {});
      expect([join.status, join.body.errors.code]).toEqual([503, 'unavailable']);
      await migrator.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]);
      await service.waitUntilUp();
      expect((await api.get('/readyz')).status).toBe(200);
      expect((await api.post('/api/v1/call/unknown/join', { name: 'Eva Lima' })).status).toBe(404);
      stop.abort();
      await probes;
      expect(statuses.length).toBeGreaterThan(5);
      expect(new Set(statuses)).toEqual(new Set([200]));
      service.signal('SIGTERM');
      expect((await ended).code).toBe(0);
    });
    await drop();
  });

  it('ends at once when it is stopped', async () => {
    const { url, drop } = await cloneDatabase();
    await asSuperuser(url, async (migrator) => {
      await migrator.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
      const service = await ServiceProcess.spawn({ DATA_DIR: dataDir.path, DATABASE_URL: url });
      await until(
        async () => (await service.api.get('/healthz').catch(() => undefined))?.status === 200,
        () => `the start did not answer: ${service.output}`,
      );
      service.signal('SIGTERM');
      expect((await service.ended).code).toBe(0);
      await expect(service.api.get('/healthz')).rejects.toThrow();
    });
    await drop();
  });
});

describe('a failed start', () => {
  it('reports that DATA_DIR is in use and does not affect the running service', async () => {
    const first = await ServiceProcess.start({ DATA_DIR: dataDir.path, SEED_DEMO: 'false' });

    const second = await ServiceProcess.spawn({ DATA_DIR: dataDir.path });

    expect((await second.ended).code).toBe(1);
    expect(second.output).toContain(
      `DATA_DIR ${dataDir.path} is in use by another running service (process ${first.pid}). ` +
        'Stop it, or set DATA_DIR to another folder.',
    );
    expect(second.output).not.toMatch(/^ +at /m);
    expect((await first.api.get('/readyz')).status).toBe(200);
  });

  it('reports that the port is in use before it starts a database', async () => {
    const blocker = createServer().listen(0, '127.0.0.1');
    await once(blocker, 'listening');
    const { port } = blocker.address() as AddressInfo;

    const service = await ServiceProcess.spawn({ DATA_DIR: dataDir.path, PORT: String(port) });
    const { code } = await service.ended;
    blocker.close();

    expect(code).toBe(1);
    expect(service.output).toContain(`Port ${port} is in use`);
    expect(service.output).toContain('set PORT');
    expect(service.output).not.toMatch(/^ +at /m);
    expect(dataDir.postmaster).toBeUndefined();
  });

  it('stops its database', async () => {
    const service = await ServiceProcess.spawn({ DATA_DIR: dataDir.path, MIGRATE_ON_START: 'false' });
    let postmaster: number | undefined;
    const watching = setInterval(() => (postmaster ??= dataDir.postmaster), 20);
    const { code } = await service.ended;
    clearInterval(watching);

    expect(code).toBe(1);
    expect(service.output).toContain(
      'The database is behind this version: migration 0001-tenancy is missing',
    );
    // Undefined if the machine was too busy for this test to see the database while it ran.
    if (postmaster) expect(isAlive(postmaster)).toBe(false);
    expect(dataDir.postmaster).toBeUndefined();
    await (await lockDataDir(dataDir.path)).release();
  });

  it('names DATABASE_URL when the database does not answer', async () => {
    const port = await freePort();
    for (const host of ['127.0.0.1', 'localhost']) {
      const service = await ServiceProcess.spawn({
        DATA_DIR: dataDir.path,
        DATABASE_URL: `postgres://me:hush-hush@${host}:${port}/none`,
      });

      expect((await service.ended).code).toBe(1);
      expect(service.output).toMatch(/The database does not answer: .*ECONNREFUSED.*Check DATABASE_URL\./);
      expect(service.output).not.toContain('hush-hush');
    }
  });

  it('names every invalid variable and no value', async () => {
    const bad = {
      PORT: '70000-and-more',
      DATABASE_URL: 'mysql://root:hush-hush@db/app',
      JWT_SECRET: 'tooshort-jwt',
      ENCRYPTION_KEY: 'tooshort-key',
      API_RATE_LIMIT: 'many-many',
      SEED_DEMO: 'perhaps-so',
      LOG_LEVEL: 'chatty-chatty',
      PUBLIC_URL: 'ftp-somewhere',
    };
    const service = await ServiceProcess.spawn({ DATA_DIR: join(dataDir.path, 'none'), ...bad });

    expect((await service.ended).code).toBe(1);
    for (const [name, value] of Object.entries(bad)) {
      expect(service.output).toMatch(new RegExp(`^ +${name}: .+`, 'm'));
      expect(service.output).not.toContain(value);
    }
    expect(service.output).not.toMatch(/^ +at /m);
    expect(existsSync(join(dataDir.path, 'none'))).toBe(false);
  });

  it('names all missing secrets and the missing database in production', async () => {
    const service = await ServiceProcess.spawn({
      DATA_DIR: dataDir.path,
      NODE_ENV: 'production',
      TURN_SECRET: ' ',
    });

    expect((await service.ended).code).toBe(1);
    for (const name of ['DATABASE_URL', 'JWT_SECRET', 'ENCRYPTION_KEY', 'TURN_SECRET']) {
      expect(service.output).toContain(`${name}: is required when NODE_ENV is production`);
    }
    expect(dataDir.postmaster).toBeUndefined();
  });
});
