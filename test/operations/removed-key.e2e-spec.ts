import { generateSync } from 'otplib';
import { Client } from 'pg';
import { expectStatus, PASSWORD, TestTenant } from '../support/builders';
import { createWebhook } from '../support/contexts/webhooks';
import { cloneDatabase } from '../support/database/database';
import { SmtpPeer } from '../support/peers/smtp-peer';
import { verifySignature, WebhookReceiver } from '../support/peers/webhook-receiver';
import { ensureBuilt } from '../support/service/built-service';
import { RestartedInstance, SecretsFolder } from '../support/service/restarted-instance';
import { stopServices } from '../support/service/service-process';
import { until } from '../support/until';

const [OLD, NEW] = ['o'.repeat(32), 'n'.repeat(32)];
const MFA = '/api/v1/users/me/mfa';
const STEP_MS = 30_000;
const MAILS = 'mail-address-changed';

const folder = new SecretsFolder();
let database: Awaited<ReturnType<typeof cloneDatabase>>;
let db: Client;
let peer: SmtpPeer;
let receiver: WebhookReceiver;

beforeAll(async () => {
  await ensureBuilt();
  database = await cloneDatabase();
  db = new Client({ connectionString: database.url });
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

/** Lets mails that failed be tried again now. */
const retryMails = () =>
  db.query(`UPDATE pgboss.job SET start_after = now() WHERE name = $1 AND state = 'retry'`, [MAILS]);

/** Lets deliveries that failed be attempted again now. In a loop this would use up their attempts. */
const retryDeliveries = () =>
  db.query(`UPDATE webhook_deliveries SET next_attempt_at = now() WHERE status = 'pending'`);

async function mailAttempts(): Promise<number> {
  const { rows } = await db.query(`SELECT retry_count FROM pgboss.job WHERE name = $1 AND state = 'retry'`, [
    MAILS,
  ]);
  return rows[0]?.retry_count ?? 0;
}

/** Mails to an address that is no longer the user's. */
const mailsAbout = (address: string) =>
  peer.messagesTo(address).filter(({ subject }) => subject?.includes('foi alterado'));

it('an ENCRYPTION_KEY that is removed too early is missed, and nothing is lost when it is the second value', async () => {
  const setKeys = (keys: string) => folder.write('encryption', keys);
  const instance = new RestartedInstance(db, folder, 'a', {
    JWT_SECRET: OLD,
    TURN_SECRET: OLD,
    ENCRYPTION_KEY_FILE: setKeys(OLD),
    DATABASE_URL: database.url,
    SMTP_URL: peer.url(),
    WEBHOOK_ALLOWED_PRIVATE_HOSTS: '127.0.0.1',
  });
  await instance.restart();
  const tenant = await TestTenant.register(instance);
  const { api } = tenant.owner;
  const webhook = await createWebhook(tenant, receiver.url);
  const [member, moved] = [await tenant.member(), await tenant.member()];
  const { secret } = (await member.api.post(MFA)).body.data;
  const codeAt = (steps: number) =>
    generateSync({ secret, epoch: Math.floor((Date.now() + steps * STEP_MS) / 1000) });
  // The logins use the next step: the code of the previous one can expire before it arrives.
  const confirmed = await member.api.post(`${MFA}/confirm`, { code: codeAt(0) });
  expectStatus(confirmed, 200);
  const verify = async (code: string): Promise<number> => {
    const credentials = { tenant: tenant.slug, email: member.email, password: PASSWORD };
    const { mfa_token } = (await instance.api.post('/api/auth/login', credentials)).body;
    return (await instance.api.post('/api/auth/mfa/verify', { mfa_token, code })).status;
  };
  await peer.stop();
  const { email } = moved;
  expectStatus(await api.put(`/api/v1/users/${moved.id}`, { email: `moved.${email}` }), 200);
  await until(async () => (await mailAttempts()) > 0);

  setKeys(NEW);
  await instance.restart();
  await instance.logged('No ENCRYPTION_KEY opens');
  await peer.listen();
  const attempts = await mailAttempts();
  expectStatus(await api.post('/api/v1/departments', { department: { name: 'Unsigned' } }), 201);
  await until(async () => {
    await retryMails();
    return (await mailAttempts()) > attempts + 1;
  });
  const readDeliveries = async () => (await api.get(`/api/v1/webhooks/${webhook.id}/deliveries`)).body.data;
  await until(async () => (await readDeliveries())[0]?.error);
  expect(await readDeliveries()).toMatchObject([{ status: 'pending', error: 'the secret cannot be read' }]);
  expect([receiver.received.length, mailsAbout(email).length]).toEqual([0, 0]);
  expect(await verify(codeAt(1))).toBe(401);
  expect(await verify(confirmed.body.data.recovery_codes[0])).toBe(200);

  setKeys(`${NEW},${OLD}`);
  await instance.restart();
  await instance.logged('All stored secrets are sealed with the first ENCRYPTION_KEY.');
  await retryMails();
  await retryDeliveries();
  const [delivery] = await receiver.waitForDeliveries(1);
  expect(delivery && verifySignature(delivery, webhook.secret)).toMatchObject({ data: { name: 'Unsigned' } });
  await until(() => mailsAbout(email).length === 1);
  expect(await verify(codeAt(1))).toBe(200);
});
