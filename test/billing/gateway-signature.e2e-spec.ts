import { createHmac, timingSafeEqual } from 'node:crypto';
import { Controller, Module, Post, type RawBodyRequest, Req } from '@nestjs/common';
import type { Request } from 'express';
import type { GatewayRequest, PaymentGateway, PaymentNotification } from '../../src/billing/payment-gateway';
import { PAYMENT_GATEWAYS } from '../../src/billing/payment-gateway';
import { Public } from '../../src/platform/access/access.decorators';
import { expectStatus } from '../support/builders';
import { expectFailure } from '../support/database/failures';
import { expectAccepted, storedEvents } from '../support/peers/payment-gateway';
import { startTestApp, type TestApp } from '../support/test-app';

const signatureOf = (body: string | Buffer) => createHmac('sha256', 'key').update(body).digest('hex');

/** A gateway that signs the bytes of its notifications instead of sending a token. */
class SigningGateway implements PaymentGateway {
  readonly name = 'signing';
  readonly enabled = true;
  readonly signsBody = true;

  isAuthentic({ headers, rawBody }: GatewayRequest): boolean {
    const given = Buffer.from(String(headers['x-signature']));
    const expected = Buffer.from(signatureOf(rawBody));
    return given.length === expected.length && timingSafeEqual(given, expected);
  }

  read(body: unknown): PaymentNotification {
    const { id } = body as { id: string };
    return {
      event_id: id,
      event: 'paid',
      kind: 'other',
      payment_id: null,
      tenant: null,
      occurred_at: null,
    };
  }
}

@Public()
@Controller('probe')
class ProbeController {
  @Post('raw-body')
  echo(@Req() { body, rawBody }: RawBodyRequest<Request>) {
    return { body: body as unknown, has_raw_body: rawBody !== undefined };
  }
}

@Module({ controllers: [ProbeController] })
class ProbeModule {}

let test: TestApp;

beforeAll(async () => {
  test = await startTestApp({ imports: [ProbeModule] });
  test.app.get<PaymentGateway[]>(PAYMENT_GATEWAYS, { strict: false }).push(new SigningGateway());
});

afterAll(() => test.close());

const send = (body: string, signature: string, path = '/api/webhooks/signing') =>
  test.api.post(path, body, { headers: { 'x-signature': signature } });

/** A JSON body whose bytes cannot be restored from its parsed value. */
const bodyWithId = (id: string) =>
  `{ "note": "Jo\\u00e3o ã", "value": 1.50,\r\n  "id": "first", "id": "${id}" }\n`;

describe('a gateway that signs the body', () => {
  it.each(['/api/webhooks/signing', '/API/Webhooks/signing?a=1'])(
    'is verified by the received bytes: %s',
    async (path) => {
      const id = `evt ${path}`;
      const body = bodyWithId(id);
      expectAccepted(await send(body, signatureOf(body), path));
      expect(await storedEvents(test, id)).toEqual([
        expect.objectContaining({ gateway: 'signing', payload: { note: 'João ã', value: 1.5, id } }),
      ]);
    },
  );

  it('is rejected for other bytes of the same JSON', async () => {
    const body = bodyWithId('evt_forged');
    const answer = await send(JSON.stringify(JSON.parse(body)), signatureOf(body));
    expectFailure(answer, 401, { code: 'invalid_gateway_token' });
    expect(await storedEvents(test, 'evt_forged')).toEqual([]);
  });

  it('reads at most 16 KiB before it has verified the signature', async () => {
    const body = JSON.stringify({ id: 'evt_large', note: 'x'.repeat(16 * 1024) });
    expectFailure(await send(body, signatureOf(body)), 413, { code: 'payload_too_large' });
  });

  it('receives an empty buffer for a missing body', async () => {
    expectFailure(await test.api.post('/api/webhooks/signing'), 401, { code: 'invalid_gateway_token' });
    const signature = { 'x-signature': signatureOf('') };
    const empty = await test.api.post('/api/webhooks/signing', undefined, { headers: signature });
    expectFailure(empty, 400, { code: 'bad_request' });
  });
});

it('the raw body is kept for gateway routes only', async () => {
  const answer = await test.api.post('/probe/raw-body', { name: 'João' });
  expectStatus(answer, 201);
  expect(answer.body.data).toEqual({ body: { name: 'João' }, has_raw_body: false });
});
