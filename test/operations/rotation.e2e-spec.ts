import { generateSync } from 'otplib';
import { Client } from 'pg';
import { ResumeLinks } from '../../src/calls/callbacks/resume-links';
import { loadConfig } from '../../src/platform/config/config';
import { readReceipt } from '../../src/customers/erasures/receipt-jws';
import { TokenKeys } from '../../src/platform/tokens/token-keys';
import { expectStatus, type Member, PASSWORD, TestTenant } from '../support/builders';
import { tokenOf } from '../support/contexts/callbacks';
import { createWebhook } from '../support/contexts/webhooks';
import { asSuperuser, cloneDatabase } from '../support/database/database';
import { SERVICE_ROLE } from '../support/database/service-role';
import type { Json } from '../support/http/api';
import { SmtpPeer } from '../support/peers/smtp-peer';
import { verifySignature, WebhookReceiver } from '../support/peers/webhook-receiver';
import { ensureBuilt } from '../support/service/built-service';
import { RestartedInstance, SecretsFolder } from '../support/service/restarted-instance';
import { stopServices } from '../support/service/service-process';
import { TestSocket } from '../support/sockets/socket';
import type { TestedService } from '../support/tested-service';
import { until } from '../support/until';

const [OLD, NEW] = ['o'.repeat(32), 'n'.repeat(32)];
const MFA = '/api/v1/users/me/mfa';
const STEP_SECONDS = 30;
const SEALED_JOBS = ['mail-address-changed', 'mail-appointment'];

let database: Awaited<ReturnType<typeof cloneDatabase>>;
let db: Client;
let peer: SmtpPeer;
let receiver: WebhookReceiver;
const folder = new SecretsFolder();

beforeAll(async () => {
  await ensureBuilt();
  database = await cloneDatabase();
  db = new Client({ connectionString: database.url });
  db.on('error', () => {});
  await db.connect();
  peer = await SmtpPeer.start();
  receiver = await WebhookReceiver.start();
});

afterAll(async () => {
  await stopServices();
  await db.end();
  await database.drop();
  await receiver.stop();
  await peer.stop();
  folder.remove();
});

const writeKeys = (keys: string) => ({
  JWT_SECRET_FILE: folder.write('jwt', keys),
  ENCRYPTION_KEY_FILE: folder.write('encryption', keys),
});

const newInstance = (name: string, variables: Record<string, string>) =>
  new RestartedInstance(db, folder, name, { TURN_SECRET: OLD, ...variables });

const code = (secret: string, steps: number) =>
  generateSync({ secret, epoch: Math.floor(Date.now() / 1000) + steps * STEP_SECONDS });

/** A member with MFA whose code of the next step is unused. The code of the previous step can expire before it arrives. */
async function enrolled(tenant: TestTenant): Promise<{ member: Member; secret: string }> {
  const member = await tenant.member();
  const { secret } = (await member.api.post(MFA)).body.data;
  expectStatus(await member.api.post(`${MFA}/confirm`, { code: code(secret, 0) }), 200);
  return { member, secret };
}

async function expectLogin(
  { api }: TestedService,
  { slug }: TestTenant,
  { member, secret }: Json,
): Promise<void> {
  const login = await api.post('/api/auth/login', { tenant: slug, email: member.email, password: PASSWORD });
  const { mfa_token } = login.body;
  expectStatus(await api.post('/api/auth/mfa/verify', { mfa_token, code: code(secret, 1) }), 200);
}

/** Links to return to a call, as an instance with this JWT_SECRET signs them. */
function linksSignedWith(secret: string): ResumeLinks {
  const config = loadConfig({ JWT_SECRET: secret, DATA_DIR: folder.path });
  return new ResumeLinks(new TokenKeys(config), config);
}

/** The links of the mails to this address. */
async function linkTo(address: string, path: string): Promise<URL> {
  const { text } = await peer.messageTo(address, (mail) => mail.text.includes(path));
  return new URL(/https?:\S+/.exec(text.slice(text.indexOf(path) - 40))?.[0] ?? '');
}

/** The status for submitting the page of a mailed link on this instance. */
async function submit({ url }: TestedService, link: URL): Promise<number> {
  const body = new URLSearchParams({ token: link.searchParams.get('token') ?? '' });
  return (await fetch(`${url}${link.pathname}`, { method: 'POST', body })).status;
}

/** The prefixes of all sealed secrets that may still be opened: one for each key in use. */
async function sealingKeys(): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `SELECT count(DISTINCT split_part(sealed, '.', 1))::int AS count FROM (
       SELECT mfa_secret FROM users WHERE mfa_secret IS NOT NULL
       UNION ALL SELECT secret FROM webhook_secrets
       UNION ALL SELECT sealed_private_key FROM receipt_keys
       UNION ALL SELECT sealed_recipient FROM appointments WHERE sealed_recipient IS NOT NULL
       UNION ALL SELECT coalesce(data->>'sealed_address', data->>'sealed_recipient') FROM pgboss.job
       WHERE name = ANY ($1) AND state < 'completed') AS secrets (sealed)`,
    [SEALED_JOBS],
  );
  return rows[0]?.count ?? 0;
}

/** Queued sealed jobs. */
async function queuedJobs(): Promise<number> {
  const { rows } = await db.query(`SELECT FROM pgboss.job WHERE name = ANY ($1) AND state < 'completed'`, [
    SEALED_JOBS,
  ]);
  return rows.length;
}

const changeEmail = async ({ api }: TestedService, { token }: Member, { id, email }: Member): Promise<void> =>
  expectStatus(await api.as(token).put(`/api/v1/users/${id}`, { email: `moved.${email}` }), 200);

it('JWT_SECRET and ENCRYPTION_KEY change on two instances, step by step, without losing anything', async () => {
  const common = {
    ...writeKeys(OLD),
    DATABASE_URL: database.url,
    SMTP_URL: peer.url(),
    WEBHOOK_ALLOWED_PRIVATE_HOSTS: '127.0.0.1',
    AUTH_RATE_LIMIT: '1000',
    AUTH_ADDRESS_RATE_LIMIT: '1000',
  };
  const [a, b] = [newInstance('a', common), newInstance('b', common)];
  await Promise.all([a.restart(), b.restart()]);
  const tenant = await TestTenant.register(a);
  const { owner, slug } = tenant;
  const confirmation = await linkTo(owner.email, '/confirm-email');
  await db.query('UPDATE tenants SET email_confirmed_at = now() WHERE id = $1', [tenant.id]);
  const users = [await enrolled(tenant), await enrolled(tenant)];
  const webhook = await createWebhook(tenant, receiver.url);
  const { department, link } = await tenant.queue();
  const waiting: Json = await tenant.join(link);
  const ended: Json = await tenant.join(link);
  expectStatus(await owner.api.post(`/api/v1/calls/${ended.call_id}/complete`), 200);
  const invited: Json = await tenant.join(link);
  const resumeToken = tokenOf(linksSignedWith(OLD).urlOf(invited.call_id, link.token));
  expectStatus(await a.api.post('/api/auth/forgot-password', { tenant: slug, email: owner.email }), 200);
  const reset = await linkTo(owner.email, '/reset-password');
  const customer = await owner.api.post('/api/v1/customers', { name: 'Carla', email: 'carla@example.com' });
  const exportCarla = async ({ api }: TestedService, token = owner.token): Promise<string> =>
    (await api.as(token).get(`/api/v1/customers/${customer.body.data.id}/export`)).body.data.receipt;
  const receiptKey = readReceipt(await exportCarla(a))?.key_id;
  const starts_at = new Date(Date.now() + 86_400_000).toISOString();
  const ends_at = new Date(Date.now() + 87_000_000).toISOString();
  const booked = await owner.api.post('/api/v1/appointments', {
    user_id: owner.id,
    department_id: department.id,
    customer_id: customer.body.data.id,
    starts_at,
    ends_at,
  });
  expectStatus(booked, 201);
  const appointment = `/api/v1/appointments/${booked.body.data.id}`;
  expectStatus(await owner.api.post(`${appointment}/confirm`), 200);
  await peer.messageTo('carla@example.com');

  // Mails that cannot be sent until the rotation has ended.
  const moved = [await tenant.member(), await tenant.member()] as const;
  await peer.stop();
  expectStatus(await owner.api.post(`${appointment}/cancel`), 200);
  await changeEmail(a, owner, moved[0]);

  // 1. All instances know the new values.
  writeKeys(`${OLD},${NEW}`);
  await Promise.all([a.restart(), b.restart()]);

  // 2. The new values sign and encrypt. Until the last instance has restarted, another one uses the old ones.
  writeKeys(`${NEW},${OLD}`);
  await a.restart();
  await a.logged('All stored secrets are sealed with the first ENCRYPTION_KEY.');
  const [fromA, fromB] = await Promise.all(
    [a, b].map(({ api }) =>
      api.post('/api/auth/login', { tenant: slug, email: owner.email, password: PASSWORD }),
    ),
  );
  for (const { api } of [a, b]) {
    for (const token of [owner.token, fromA?.body.access_token, fromB?.body.access_token]) {
      expectStatus(await api.as(token).get('/api/v1/users/me'), 200);
    }
  }
  await changeEmail(b, owner, moved[1]);
  expect(await sealingKeys()).toBe(2);
  await b.restart();

  // 3. The log says so on the instance that was restarted last.
  await b.logged('All stored secrets are sealed with the first ENCRYPTION_KEY.');
  expect([await sealingKeys(), await queuedJobs()]).toEqual([1, 3]);
  await expectLogin(a, tenant, users[0]);
  expectStatus(await b.api.as(waiting.websocket_token).get('/api/v1/call/turn-credentials'), 200);
  expect(await submit(b, confirmation)).toBe(200);
  expectStatus(await b.api.post('/api/v1/call/resume', { websocket_token: resumeToken }), 200);

  // 4. The old values are removed. Tokens that they signed end, which this test does not wait for.
  writeKeys(NEW);
  await Promise.all([a.restart(), b.restart()]);
  expectStatus(await a.api.as(owner.token).get('/api/v1/users/me'), 401);
  expectStatus(await a.api.as(waiting.websocket_token).get('/api/v1/call/turn-credentials'), 401);
  expect(await submit(a, confirmation)).toBe(422);
  const rating = `/api/v1/call/evaluate/${ended.call_id}`;
  expectStatus(await a.api.as(ended.websocket_token).post(rating, { rating: 5 }), 401);
  for (const token of [owner.token, waiting.websocket_token])
    await expect(TestSocket.connect(a.url, token)).rejects.toThrow('token is not valid');
  expectStatus(await a.api.post('/api/v1/call/resume', { websocket_token: resumeToken }), 401);
  const refreshed = await b.api.post('/api/auth/refresh', { refresh_token: owner.refresh_token });
  expectStatus(refreshed, 200);
  (await TestSocket.connect(a.url, refreshed.body.access_token)).close();
  // The customer joins again by the same link.
  expectStatus(await a.api.post(`/api/v1/call/${link.token}/join`, { name: 'Caio' }), 200);
  const exported = readReceipt(await exportCarla(a, refreshed.body.access_token));
  expect(exported).toMatchObject({ key_id: receiptKey, receipt: { kind: 'customer_export' } });
  await expectLogin(b, tenant, users[1]);

  const api = b.api.as(refreshed.body.access_token);
  expectStatus(await api.post('/api/v1/departments', { department: { name: 'Signed' } }), 201);
  const deliveries = await receiver.waitForDeliveries(2);
  expect(deliveries.map((delivery) => verifySignature(delivery, webhook.secret).data.name)).toContain(
    'Signed',
  );

  await peer.listen();
  await db.query(`UPDATE pgboss.job SET start_after = now() WHERE name = ANY ($1) AND state = 'retry'`, [
    SEALED_JOBS,
  ]);
  for (const { email } of moved)
    await peer.messageTo(email, ({ subject }) => subject?.includes('foi alterado') ?? false);
  await peer.messageTo('carla@example.com', ({ subject }) => subject?.includes('cancelado') ?? false);
  const chosen = { token: reset.searchParams.get('token'), password: 'another long passphrase' };
  expectStatus(await a.api.post('/api/auth/reset-password', chosen), 200);
});

describe('the password of the database', () => {
  const LOGIN = 'rotation_login';
  const urlWith = (password: string) => {
    const url = new URL(database.url);
    url.username = LOGIN;
    url.password = password;
    return url.toString();
  };

  afterAll(() =>
    asSuperuser(database.url, async (client) => {
      await stopServices();
      await client.query(`DROP ROLE IF EXISTS ${LOGIN}`);
    }),
  );

  it('changes: open connections stay, new ones are refused until the restart', async () => {
    await db.query(`CREATE ROLE ${LOGIN} LOGIN SUPERUSER PASSWORD '${OLD}'`);
    const DATABASE_URL_FILE = folder.write('database', urlWith(OLD));
    const variables = { ...writeKeys(OLD), DATABASE_URL_FILE, DATABASE_ROLE: SERVICE_ROLE };
    const instance = newInstance('c', variables);
    await instance.restart();
    const logIn = () =>
      instance.api.post('/api/auth/login', { tenant: 'unknown', email: 'a@example.com', password: PASSWORD });
    expectStatus(await logIn(), 401);

    // 1. The password changes.
    await db.query(`ALTER ROLE ${LOGIN} PASSWORD '${NEW}'`);
    expectStatus(await logIn(), 401);
    await db.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = $1', [LOGIN]);
    await until(
      async () => (await logIn()).status === 503,
      () => 'a request without a connection is not answered with 503',
    );

    // 2. DATABASE_URL has the new one, and the instances restart.
    folder.write('database', urlWith(NEW));
    await instance.restart();
    expectStatus(await logIn(), 401);
    expect(instance.process?.output).not.toContain(NEW);
  });
});
