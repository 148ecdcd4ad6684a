import { createHmac } from 'node:crypto';
import { startTestApp, type TestApp } from '../support/test-app';

const TURN_SECRET = 'a secret between the service and coturn';

describe('TURN', () => {
  let test: TestApp;

  beforeAll(async () => {
    test = await startTestApp({ env: { TURN_SECRET, PUBLIC_URL: 'https://calls.example.com' } });
  });

  afterAll(() => test.close());

  it('issues credentials that coturn accepts', async () => {
    const { status, body } = await test.api.get('/api/v1/call/turn-credentials');
    expect(status).toBe(200);
    const { urls, username, credential, ttl } = body.data;
    expect(Object.keys(body.data).sort()).toEqual(['credential', 'ttl', 'urls', 'username']);
    expect(urls).toEqual([
      'turn:calls.example.com:3478?transport=udp',
      'turn:calls.example.com:3478?transport=tcp',
    ]);
    expect(ttl).toBe(3600);
    expect(credential).toBe(createHmac('sha1', TURN_SECRET).update(username).digest('base64'));
    const expires = Number(username.split(':')[0]);
    expect(Math.abs(expires - test.clock.now().getTime() / 1000 - ttl)).toBeLessThan(5);
    const second = await test.api.get('/api/v1/call/turn-credentials');
    expect(second.body.data.username).not.toBe(username);
  });
});
