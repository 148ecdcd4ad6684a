import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { version } from '../../package.json';
import { TestTenant } from '../support/builders';
import { createWebhook } from '../support/contexts/webhooks';
import { cloneDatabase } from '../support/database/database';
import { OtlpReceiver, type ReceivedSpan } from '../support/peers/otlp-receiver';
import { WebhookReceiver } from '../support/peers/webhook-receiver';
import { ensureBuilt, REPOSITORY } from '../support/service/built-service';
import { DataDir } from '../support/service/data-dir';
import { ServiceProcess, stopServices } from '../support/service/service-process';
import { TestSocket } from '../support/sockets/socket';
import { until } from '../support/until';

const TRACE = 'a0b1c2d3e4f5a6b7c8d9e0f1a2b3c4d5';
const PARENT = '1a2b3c4d5e6f7a8b';
const NAME = 'Ana Souza da Silva';
const CREDENTIALS = 'Bearer key-of-the-collector';

let database: Awaited<ReturnType<typeof cloneDatabase>>;
let db: Client;
let dataDir: DataDir;
let collector: OtlpReceiver;
let receiver: WebhookReceiver;
let service: ServiceProcess;
let tenant: TestTenant;

beforeAll(async () => {
  await ensureBuilt();
  [database, collector, receiver] = await Promise.all([
    cloneDatabase(),
    OtlpReceiver.start(),
    WebhookReceiver.start(),
  ]);
  db = new Client({ connectionString: database.url });
  await db.connect();
  dataDir = new DataDir();
  const headers = join(dataDir.path, 'otlp-headers');
  writeFileSync(headers, `authorization=${encodeURIComponent(CREDENTIALS)}\n`);
  service = await ServiceProcess.start({
    ...collector.env,
    OTEL_EXPORTER_OTLP_HEADERS_FILE: headers,
    DATABASE_URL: database.url,
    DATA_DIR: dataDir.path,
    LOG_LEVEL: 'info',
    SEED_DEMO: 'false',
    WEBHOOK_ALLOWED_PRIVATE_HOSTS: '127.0.0.1',
  });
  const { url, api } = service;
  tenant = await TestTenant.register({ url, api, db });
});

afterAll(async () => {
  await stopServices();
  await receiver.stop();
  collector.stop();
  await db.end();
  await database.drop();
  dataDir.remove();
});

const spanOf = (matches: (span: ReceivedSpan) => boolean, what: string) =>
  until(
    () => collector.spans.find(matches),
    () => `no span ${what} among ${collector.spans.map(({ name }) => name).join(', ')}`,
  );

const post = (path: string, body: object, traceparent: string) =>
  fetch(service.url + path, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${tenant.owner.token}`,
      'Content-Type': 'application/json',
      'X-Request-Id': 'traced-request',
      traceparent,
    },
    body: JSON.stringify(body),
  });

it('traces are sent with the key of a file', async () => {
  await until(() => collector.credentials.size > 0);
  expect([...collector.credentials]).toEqual([CREDENTIALS]);
});

describe('a trace', () => {
  it('of a client goes on in the request, its SQL and its log line', async () => {
    const department = { name: NAME };
    const answer = await post('/api/v1/departments', { department }, `00-${TRACE}-${PARENT}-01`);
    expect(answer.status).toBe(201);
    const request = await spanOf(({ parentSpanId }) => parentSpanId === PARENT, 'of the request');
    expect(request).toMatchObject({
      parentSpanId: PARENT,
      name: 'POST /api/v1/departments',
      attributes: { 'http.response.status_code': 201, 'vcq.request_id': 'traced-request' },
      resource: { 'service.name': 'video-call-queue', 'service.version': version },
    });
    const inserted = await spanOf(
      ({ traceId, attributes }) =>
        traceId === TRACE && /INSERT INTO "departments"/.test(String(attributes['db.query.text'])),
      'of an INSERT',
    );
    expect(inserted.attributes['db.system.name']).toBe('postgresql');
    const line = await until(() =>
      service.output.split('\n').find((text) => text.includes('"traced-request"')),
    );
    expect(JSON.parse(line)).toMatchObject({
      level: 'info',
      version,
      instance: request.resource['service.instance.id'],
      trace_id: TRACE,
      network: '127.0.0.0/24',
    });
  });

  it('reaches the jobs that the request has written', async () => {
    const credentials = { email: tenant.owner.email, tenant: tenant.slug };
    const trace = TRACE.replace('a0', 'a1');
    await post('/api/auth/forgot-password', credentials, `00-${trace}-${PARENT}-01`);
    const job = await spanOf(({ traceId, name }) => traceId === trace && name.startsWith('job '), 'of a job');
    expect(job.name).toBe('job mail-password-reset');
  });

  it('begins with an event of a socket, and has its SQL', async () => {
    const socket = await TestSocket.connect(service.url, tenant.owner.token);
    await socket.send('set_presence', { presence: 'away' });
    socket.close();
    const event = await spanOf(({ name }) => name === 'socket set_presence', 'of the event');
    expect(event.attributes).toEqual({ 'vcq.socket.kind': 'staff' });
    await spanOf(({ parentSpanId }) => parentSpanId === event.spanId, 'of its SQL');
    const connect = await spanOf(({ name }) => name === 'socket connect', 'of the connection');
    await spanOf(({ parentSpanId }) => parentSpanId === connect.spanId, 'of its SQL');
  });

  it('is sent on to the receivers of webhooks', async () => {
    await createWebhook(tenant, receiver.url);
    await tenant.department({ name: NAME });
    const [delivery] = await receiver.waitForDeliveries(1);
    const [, traceId, spanId] = String(delivery?.headers.traceparent).split('-');
    const sent = await spanOf((span) => span.spanId === spanId, 'of the attempt');
    const attempt = await spanOf((span) => span.spanId === sent.parentSpanId, 'around it');
    expect([attempt.name, attempt.parentSpanId || undefined]).toEqual(['webhook attempt', undefined]);
    expect(sent).toMatchObject({
      traceId,
      name: 'POST',
      attributes: { 'server.address': '127.0.0.1', 'http.response.status_code': 200 },
    });
  });

  it('has no personal data, nor has the log', async () => {
    const { link } = await tenant.queue();
    const { websocket_token } = await tenant.join(link as { token: string }, { name: NAME });
    await spanOf(({ name }) => name === 'POST /api/v1/call/:token/join', 'of the join');
    const secrets = [NAME, tenant.owner.email, tenant.owner.token, link.token, websocket_token];
    for (const text of [JSON.stringify(collector.spans), service.output]) {
      for (const secret of secrets) expect(text).not.toContain(secret);
    }
    expect(service.output).not.toContain('"127.0.0.1"');
  });
});

it('the SDK is not loaded while traces are off', () => {
  const script = `require('./dist/src/bootstrap/run-service.js');
    process.stdout.write(Object.keys(require.cache).filter((path) => /@opentelemetry.(sdk|exporter)/.test(path)).join());`;
  const { stdout, stderr } = spawnSync(process.execPath, ['-e', script], {
    cwd: REPOSITORY,
    encoding: 'utf8',
  });
  expect([stdout, stderr]).toEqual(['', '']);
});
