import { execFile } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { freePort } from '../../support/free-port';
import { PASSWORD, TestTenant } from '../../support/builders';
import { ProxiedClient } from '../../support/http/proxied-client';
import { ComposedCoturn, hasCoturn } from '../../support/peers/composed-coturn';
import { hasProxy } from '../../support/peers/proxy-process';
import { nginxMain, nginxSite, substitute } from '../../support/peers/shipped-proxies';
import { REPOSITORY } from '../../support/service/built-service';
import { startTestApp, type TestApp } from '../../support/test-app';

const SECRET = 'the-present-secret-of-the-relay';
const NEXT_SECRET = 'the-next-secret-of-the-relay';
const TURN_NAME = 'turn.example.com';

/** Credentials as the service issues them (a user name with its expiry, and its HMAC). */
function credentials(secret: string): string[] {
  const username = `${Math.floor(Date.now() / 1000) + 600}:someone`;
  return ['-u', username, '-w', createHmac('sha1', secret).update(username).digest('base64')];
}

/** What coturn's own client reports that wants two relays to reach each other. */
const relay = (coturn: ComposedCoturn, secret: string): Promise<string> =>
  new Promise((resolve) => {
    const flags = ['-p', String(coturn.port), ...credentials(secret), '-y', '-c', '-n', '1', '-m', '1'];
    execFile('turnutils_uclient', [...flags, '127.0.0.1'], (_error, output) => resolve(output));
  });

/** Asks by STUN over TLS for the client's address. @returns the type of the answer */
const bindingType = (port: number, servername: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', servername, rejectUnauthorized: false }, () => {
      const request = Buffer.alloc(20);
      request.writeUInt16BE(0x0001);
      request.writeUInt32BE(0x2112a442, 4);
      socket.write(request);
    });
    socket.once('error', reject).once('data', (answer: Buffer) => {
      socket.destroy();
      resolve(answer.readUInt16BE());
    });
  });
const BINDING_SUCCESS = 0x0101;

(hasCoturn() ? describe : describe.skip)('coturn of compose.yaml', () => {
  let coturn: ComposedCoturn;

  beforeAll(async () => {
    coturn = await ComposedCoturn.start(`${NEXT_SECRET}\n`, SECRET);
  });
  afterAll(() => coturn?.stop());

  it('shows its secret neither on its command line nor in its environment', () => {
    for (const text of [coturn.commandLine, coturn.environment]) {
      expect(text).toContain('turnserver');
      expect(text).not.toContain('secret-of-the-relay');
    }
  });

  it('understands each line of its configuration', () => {
    expect(coturn.output).not.toMatch(/Bad configuration|Unknown|CONFIG ERROR/i);
  });

  it.each([SECRET, NEXT_SECRET])(
    'accepts credentials of both secrets, but relays nothing to this machine: %s',
    async (secret) => {
      const output = await relay(coturn, secret);
      expect(output).not.toContain('Cannot complete Allocation');
      expect(output).toContain('403 (Forbidden IP)');
    },
  );

  it('accepts no credentials of another secret', async () => {
    expect(await relay(coturn, 'another')).toContain('Cannot complete Allocation');
  });

  it('answers over TLS', async () => {
    expect(await bindingType(coturn.tlsPort, TURN_NAME)).toBe(BINDING_SUCCESS);
  });
});

const STREAM_MODULE = '/usr/lib/nginx/modules/ngx_stream_module.so';

function hasStreamModule(): boolean {
  if (existsSync(STREAM_MODULE)) return true;
  if (process.env.CI === 'true') throw new Error(`There is no ${STREAM_MODULE}.`);
  process.stderr.write('NOTICE: the tests of TURN at port 443 did not run: install libnginx-mod-stream.\n');
  return false;
}

const canShare = hasCoturn() && hasProxy({ program: 'nginx' }) && hasStreamModule();

(canShare ? describe : describe.skip)('the pages and TURN at one port', () => {
  const shipped = readFileSync(join(REPOSITORY, 'deploy', 'nginx', 'turn-on-443.conf'), 'utf8');
  /** What its comment tells operators to write into the configuration of the pages. */
  const [listen = '', ...realIp] = [...shipped.matchAll(/^# {3}(\w+ [^;]+;)/gm)].map(([, line = '']) => line);
  let test: TestApp;
  let coturn: ComposedCoturn;
  let client: ProxiedClient;

  beforeAll(async () => {
    test = await startTestApp({ env: { TRUST_PROXY: '1' } });
    coturn = await ComposedCoturn.start(SECRET);
    const pages = await freePort();
    const site = substitute(await nginxSite(pages, [Number(new URL(test.url).port)]), [
      [`listen 127.0.0.1:${pages} ssl http2;`, [listen.replace('8443', String(pages)), ...realIp].join('\n')],
    ]);
    const inner = await freePort();
    client = await ProxiedClient.start({
      program: 'nginx',
      files: async (port, folder) => ({
        'nginx.conf': nginxMain(
          folder,
          `load_module ${STREAM_MODULE};\n${substitute(shipped, [
            [/^ *listen \[::\].*\n/, ''],
            ['listen 443;', `listen 127.0.0.1:${port};`],
            ['127.0.0.1:8443', `127.0.0.1:${pages}`],
            ['127.0.0.1:8444', `127.0.0.1:${inner}`],
            ['10.0.0.7:5349', `127.0.0.1:${coturn.tlsPort}`],
          ])}`,
        ),
        'site.conf': site,
      }),
      flags: (file, folder) => ['-c', file, '-p', folder],
    });
  });

  afterAll(async () => {
    await client?.stop();
    await coturn?.stop();
    await test?.close();
  });

  it('are told apart by the name in TLS', async () => {
    expect(await bindingType(client.port, TURN_NAME)).toBe(BINDING_SUCCESS);
    expect((await client.send('/healthz')).status).toBe(200);
  });

  it('show the service the address of the client', async () => {
    const { slug, owner } = await TestTenant.register(test);
    const { status } = await client.send('/api/auth/login', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': '203.0.113.9' },
      body: JSON.stringify({ tenant: slug, email: owner.email, password: PASSWORD }),
    });
    expect(status).toBe(200);
    const { body } = await owner.api.get('/api/v1/audit-log');
    expect(body.data[0].address).toBe(client.address);
  });
});
