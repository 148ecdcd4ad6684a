import { randomBytes } from 'node:crypto';
import { expectStatus, login, PASSWORD, TestTenant } from '../support/builders';
import { cloneDatabase } from '../support/database/database';
import { WebhookReceiver, verifySignature } from '../support/peers/webhook-receiver';
import { startTestApp, type TestApp } from '../support/test-app';
import { until } from '../support/until';
import { createWebhook } from '../support/contexts/webhooks';

const [OLD, NEW] = [randomBytes(24).toString('hex'), randomBytes(24).toString('hex')];

let database: Awaited<ReturnType<typeof cloneDatabase>>;
let receiver: WebhookReceiver;

beforeAll(async () => {
  database = await cloneDatabase();
  receiver = await WebhookReceiver.start();
});

afterAll(async () => {
  await receiver.stop();
  await database.drop();
});

async function withKey<T>(key: string, work: (test: TestApp) => Promise<T>): Promise<T> {
  const test = await startTestApp({ databaseUrl: database.url, env: { ENCRYPTION_KEY: key } });
  try {
    return await work(test);
  } finally {
    await test.close();
  }
}

const sealedSecrets = async ({ db }: TestApp) =>
  (await db.query<{ secret: string }>('SELECT secret FROM webhook_secrets ORDER BY inserted_at')).rows.map(
    ({ secret }) => secret,
  );

it('webhook secrets are re-encrypted with a new ENCRYPTION_KEY, including recently rotated ones', async () => {
  const created = await withKey(OLD, async (test) => {
    const tenant = await TestTenant.register(test);
    const { id, secret } = await createWebhook(tenant, receiver.url);
    const rotated = await tenant.owner.api.post(`/api/v1/webhooks/${id}/rotate-secret`);
    expectStatus(rotated, 200);
    return { tenant, secrets: [secret, rotated.body.data.secret], sealed: await sealedSecrets(test) };
  });
  await withKey(`${NEW},${OLD}`, (test) =>
    until(async () => (await sealedSecrets(test)).every((sealed) => !created.sealed.includes(sealed))),
  );
  await withKey(NEW, async (test) => {
    const { slug, owner } = created.tenant;
    const { api } = await login(test, slug, owner.email, PASSWORD);
    expectStatus(await api.post('/api/v1/departments', { department: { name: 'Told of' } }), 201);
    const [received] = await receiver.waitForDeliveries(1);
    for (const secret of created.secrets) expect(verifySignature(received, secret).data.name).toBe('Told of');
  });
});
