import { expectStatus, type Member, PASSWORD, TestTenant } from '../support/builders';
import { mailedTokens, waitForMails } from '../support/contexts/password-links';
import { oneTo } from '../support/database/rows';
import { SmtpPeer } from '../support/peers/smtp-peer';
import { startTestApp, type TestApp } from '../support/test-app';

/** Half of the mails that the plan `free` allows a day. */
const MAX_FREE_RESETS = 10;
/** Valid links that one user can have at a time, and for how long. */
const MAX_LINKS = 5;
const LINK_SECONDS = 1800;

describe('password links for users whose address is not confirmed', () => {
  let peer: SmtpPeer;
  let test: TestApp;
  let tenant: TestTenant;
  let member: Member;

  beforeAll(async () => {
    peer = await SmtpPeer.start();
    test = await startTestApp({ env: { SMTP_URL: peer.url() } });
    // At the beginning of a day of the companies, which does not end during a test.
    test.clock.advance((Date.UTC(2100, 0, 1, 3) - test.clock.now().getTime()) / 1000);
  });

  beforeEach(async () => {
    test.clock.advance(86_400);
    tenant = await TestTenant.register(test, 'free');
    member = await tenant.member();
  });

  afterAll(async () => {
    await test.close();
    await peer.stop();
  });

  /** Requests as many links as a user can have, after the former ones have expired. */
  async function requestLinks(email: string, count = MAX_LINKS): Promise<void> {
    test.clock.advance(LINK_SECONDS + 1);
    for (const _ of oneTo(count)) {
      expectStatus(await test.api.post('/api/auth/forgot-password', { email, tenant: tenant.slug }), 200);
    }
    await waitForMails(test);
  }

  const linkCount = (email: string) => mailedTokens(peer, email).length;
  const usedToday = async (): Promise<number> =>
    (await test.db.query('SELECT mail_count FROM mail_usage WHERE tenant_id = $1', [tenant.id])).rows[0]
      ?.mail_count;

  it('use at most half of the allowance', async () => {
    for (const _ of oneTo(3)) await requestLinks(member.email);
    expect(linkCount(member.email)).toBe(MAX_FREE_RESETS);
    expect(await usedToday()).toBe(MAX_FREE_RESETS);
    const invited = { name: 'Ivo', email: `invited.${member.email}`, role: 'attendant' };
    expectStatus(await tenant.owner.api.put(`/api/v1/users/${member.id}`, { active: false }), 200);
    expectStatus(await tenant.owner.api.post('/api/v1/users', invited), 201);
    await peer.messageTo(invited.email);
  });

  it('are not counted once the user has chosen a password by one, until the address changes', async () => {
    await requestLinks(member.email, 1);
    const [token] = mailedTokens(peer, member.email);
    expectStatus(await test.api.post('/api/auth/reset-password', { token, password: PASSWORD }), 200);
    for (const _ of oneTo(3)) await requestLinks(member.email);
    expect(linkCount(member.email)).toBe(1 + 3 * MAX_LINKS);
    expect(await usedToday()).toBe(1);
    const email = `moved.${member.email}`;
    expectStatus(await tenant.owner.api.put(`/api/v1/users/${member.id}`, { email }), 200);
    for (const _ of oneTo(3)) await requestLinks(email);
    // The link of the beginning and the mail about the change were counted before.
    expect(linkCount(email)).toBe(MAX_FREE_RESETS - 2);
  });

  it('are counted once when the mail is retried', async () => {
    peer.refuseMessages(2, 450);
    await requestLinks(member.email, 1);
    expect(linkCount(member.email)).toBe(1);
    expect(await usedToday()).toBe(1);
  });
});
