import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { OutboundHttp } from '../../src/platform/outbound/outbound-http';
import { CERTIFICATE, Loopback, resolveToLoopback } from '../support/service/loopback';

let loopback: Loopback;

beforeAll(() => {
  loopback = new Loopback();
});

afterAll(() => loopback.stop());

const post = (name: string, port: number, limitMs?: number) =>
  new OutboundHttp({
    allowedPrivateHosts: [name],
    resolvePrivate: resolveToLoopback,
    ...(limitMs && { limitMs }),
  }).post(`https://${name}:${port}/`, '{}', {});

describe('a certificate', () => {
  const trusted = getCACertificates();
  let port: number;

  beforeAll(async () => {
    port = await loopback.https((_request, response) => response.end('taken'));
  });

  afterEach(() => setDefaultCACertificates(trusted));

  const NOT_VALID = { response_status: null, error: 'TLS certificate not valid' };

  it('that nobody trusts is not valid', async () => {
    expect(await post('hooks.test', port)).toMatchObject(NOT_VALID);
  });

  it('that is trusted is valid, for its own name', async () => {
    setDefaultCACertificates([...trusted, CERTIFICATE]);
    expect(await post('hooks.test', port)).toMatchObject({
      response_status: 200,
      response_body: 'taken',
      error: null,
    });
    expect(await post('other.test', port)).toMatchObject(NOT_VALID);
  });
});

it('a server without TLS gets no request', async () => {
  let requests = 0;
  const port = await loopback.http(() => requests++);
  const outcome = await post('hooks.test', port);
  expect(outcome).toMatchObject({ response_status: null, error: 'TLS handshake failed' });
  expect(requests).toBe(0);
});

it('a server that never begins with TLS is waited for as any other', async () => {
  const port = await loopback.tcp(() => {});
  const outcome = await post('hooks.test', port, 300);
  expect(outcome).toMatchObject({ response_status: null, error: 'no answer within 0.3 s' });
});
