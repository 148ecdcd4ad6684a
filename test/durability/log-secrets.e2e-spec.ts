import type { Json } from '../support/http/api';
import { documentedFetch } from '../support/http/documented-fetch';
import { expectStatus, type Member, TestTenant } from '../support/builders';
import { mailedTokens } from '../support/contexts/password-links';
import { createRecording, newRecording } from '../support/contexts/recordings';
import { expectFailure } from '../support/database/failures';
import { SmtpPeer } from '../support/peers/smtp-peer';
import { ensureBuilt } from '../support/service/built-service';
import { DataDir } from '../support/service/data-dir';
import { ServiceProcess, stopServices } from '../support/service/service-process';
import { StorageFolder } from '../support/service/storage-folder';
import { startTestApp, type TestApp } from '../support/test-app';
import { until } from '../support/until';

const SECRET = 'the secret that signs tickets here';
const PLAY_PATH = '/api/v1/recordings/play';
const PAGE_PATH = '/reset-password';
const NEW_PASSWORD = 'another good passphrase';

/** The log of a running service at the most verbose level, for requests with secrets in their URL. */
describe('the request log', () => {
  const storage = new StorageFolder();
  let dataDir: DataDir;
  let peer: SmtpPeer;
  let test: TestApp;
  let tenant: TestTenant;
  let member: Member;
  let service: ServiceProcess;

  beforeAll(async () => {
    await ensureBuilt();
    dataDir = new DataDir();
    peer = await SmtpPeer.start();
    // Both run on one database, so that the spec creates tenants and recordings as all others do.
    // Each of them may send the mails.
    test = await startTestApp({ env: { ...storage.env, JWT_SECRET: SECRET, SMTP_URL: peer.url() } });
    tenant = await TestTenant.register(test);
    member = await tenant.member();
  }, 120_000);

  beforeEach(async () => {
    service = await ServiceProcess.start({
      ...storage.env,
      DATABASE_URL: test.databaseUrl,
      DATA_DIR: dataDir.path,
      JWT_SECRET: SECRET,
      SMTP_URL: peer.url(),
      LOG_LEVEL: 'trace',
      SEED_DEMO: 'false',
    });
  });

  afterEach(stopServices);

  afterAll(async () => {
    await test.close();
    await peer.stop();
    dataDir.remove();
    storage.remove();
  });

  it('has a line for every request of the password page, and never the token', async () => {
    const page = async (path: string, request: RequestInit = {}) =>
      (await documentedFetch(service.url + path, request)).status;
    const form = (password: string) => ({ method: 'POST', body: new URLSearchParams({ token, password }) });
    const credentials = { email: member.email, tenant: tenant.slug };
    expectStatus(await service.api.post('/api/auth/forgot-password', credentials), 200);
    const token = await until(() => mailedTokens(peer, member.email)[0]);
    expect(await page(`${PAGE_PATH}?token=${token}&lang=pt`)).toBe(200);
    expect(await page(`${PAGE_PATH}?lang=pt&TOKEN=${token}`)).toBe(422);
    expect(await page(PAGE_PATH, form('short'))).toBe(422);
    expect(await page(PAGE_PATH, form(NEW_PASSWORD))).toBe(200);
    const again = { token, password: NEW_PASSWORD };
    expectFailure(await service.api.post('/api/auth/reset-password', again), 422);
    await service.stop();
    expect(service.output).toContain('"url":"/reset-password?token=[redacted]&lang=[redacted]"');
    expect(service.output.match(/"url":"\/reset-password/g)).toHaveLength(4);
    for (const secret of [token, NEW_PASSWORD, member.email]) expect(service.output).not.toContain(secret);
  });

  it('has a line for every playback, and never a ticket', async () => {
    const { url, ticket, content } = await issueTicket();
    const played = await documentedFetch(service.url + url);
    expect(Buffer.from(await played.arrayBuffer())).toEqual(content);
    expect((await documentedFetch(`${service.url}${PLAY_PATH}?x=1&TICKET=${ticket}`)).status).toBe(400);
    expect((await documentedFetch(`${service.url}${PLAY_PATH}?ticket=${ticket}x`)).status).toBe(401);
    await service.stop();
    expect(service.output).toContain(`"url":"${PLAY_PATH}?ticket=[redacted]"`);
    expect(service.output.match(/"url":"\/api\/v1\/recordings\/play/g)).toHaveLength(3);
    expect(service.output).not.toContain(ticket.slice(0, 60));
  });

  async function issueTicket() {
    const agent = await tenant.member('attendant');
    const { link }: Json = await tenant.queue();
    const { call_id } = await tenant.join(link);
    const content = newRecording();
    await createRecording(test, call_id, agent, content);
    const answer = await agent.api.post(`/api/v1/calls/${call_id}/recording/ticket`);
    expectStatus(answer, 200);
    const { url } = answer.body.data;
    return { url, content, ticket: new URL(url, test.url).searchParams.get('ticket') ?? '' };
  }
});
