import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { OutboundClient } from '../../src/webhooks/outbound/outbound-client';
import { CERTIFICATE, Loopback, resolveToLoopback } from '../support/service/loopback';

let loopback: Loopback;

beforeAll(() => {
  loopback = new Loopback();
});

afterAll(() => loopback.stop());

const post = (name: string, port: number, timeoutMs = 15_000) =>
  new OutboundClient(
    { allowedPrivateHosts: [name], timeoutMs, maxBodyBytes: 1024 },
    { private: resolveToLoopback },
  ).request(`https://${name}:${port}/`, { method: 'POST', body: '{}' });

describe('a server certificate', () => {
  const trusted = getCACertificates();
  let port: number;

  beforeAll(async () => {
    port = await loopback.https((_request, response) => response.end('taken'));
  });

  afterEach(() => setDefaultCACertificates(trusted));

  const NOT_VALID = { status: null, error: 'TLS certificate not valid' };

  it('is rejected when it is not trusted', async () => {
    expect(await post('hooks.test', port)).toMatchObject(NOT_VALID);
  });

  it('is accepted when it is trusted and names the host', async () => {
    setDefaultCACertificates([...trusted, CERTIFICATE]);
    expect(await post('hooks.test', port)).toMatchObject({
      status: 200,
      body: Buffer.from('taken'),
      error: null,
    });
    expect(await post('other.test', port)).toMatchObject(NOT_VALID);
  });
});

it('sends no request to a server without TLS', async () => {
  let requests = 0;
  const port = await loopback.http(() => requests++);
  const response = await post('hooks.test', port);
  expect(response).toMatchObject({ status: null, error: 'TLS handshake failed' });
  expect(requests).toBe(0);
});

it('times out when the server never starts the TLS handshake', async () => {
  const port = await loopback.tcp(() => {});
  const response = await post('hooks.test', port, 300);
  expect(response).toMatchObject({ status: null, error: 'no complete response within 0.3 s' });
});
