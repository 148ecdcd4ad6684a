import { BarrierCheck } from './support/browser/barrier-check';
import { callScene } from './support/call-scene';
import { type Company, createCompany } from './support/company';
import { CustomerPage } from './support/pages/customer-page';
import { sharedServers } from './support/shared-servers';

const scene = callScene();
const check = new BarrierCheck();
let company: Company;

beforeAll(async () => {
  company = await createCompany();
});

const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)';
const ANDROID =
  'Mozilla/5.0 (Linux; Android 13; SM-A136B; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/138.0.0.0 Mobile Safari/537.36';
const APPS = [
  ['Instagram', 'iOS', `${IPHONE} Mobile/15E148 Instagram 380.0.0.28.104`],
  ['Facebook', 'iOS', `${IPHONE} Mobile/15E148 [FBAN/FBIOS;FBAV/510.0.0.43.99;]`],
  ['Instagram', 'Android', `${ANDROID} Instagram 380.0.0.28.104 Android`],
  ['Facebook', 'Android', `${ANDROID} [FB_IAB/FB4A;FBAV/510.0.0.43.99;]`],
] as const;

/** The page in a browser that cannot make calls. */
async function openWithoutWebRtc(userAgent?: string, search = ''): Promise<CustomerPage> {
  const page = await scene.customerPage({
    context: { userAgent, permissions: ['clipboard-write', 'clipboard-read'] },
  });
  await page.addInitScript(() => Reflect.deleteProperty(globalThis, 'RTCPeerConnection'));
  return CustomerPage.open(page, company.link, search);
}

describe('a browser without WebRTC', () => {
  it.each(APPS)('inside %s on %s says how to get out of it', async (app, system, userAgent) => {
    const customer = await openWithoutWebRtc(userAgent);
    const address = `${sharedServers().url}/c/${company.link.token}`;
    expect(await (await customer.waitForId('error-title')).textContent()).toBe(
      `Please open this page outside ${app}`,
    );
    expect(await customer.find('join-submit').count()).toBe(0);
    const { page } = customer;
    expect(await page.locator('.address').textContent()).toBe(address);
    await page.getByRole('button', { name: 'Copy the link' }).click();
    await page.getByText('Copied.').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(address);

    await check.look(page, `${app} on ${system}`);
    expect(check.found).toEqual([]);

    const intent = page.getByRole('link', { name: 'Open in the browser' });
    expect(await intent.count()).toBe(system === 'Android' ? 1 : 0);
    if (system === 'Android') {
      expect(await intent.getAttribute('href')).toMatch(
        new RegExp(`^intent://.*/c/${company.link.token}#Intent;scheme=http;.*browser_fallback_url=`),
      );
    }
  });

  it('leaves a link to return for the real browser', async () => {
    const customer = await openWithoutWebRtc(APPS[2][2], '#resume=abc');
    await customer.waitForId('error-title');
    expect(await customer.page.locator('.address').textContent()).toContain('#resume=abc');
  });

  it('that is too old names others, and can go on in writing', async () => {
    const customer = await openWithoutWebRtc();
    expect(await (await customer.waitForId('error-title')).textContent()).toBe(
      'This browser cannot make video calls',
    );
    await check.look(customer.page, 'browser too old');
    expect(check.found).toEqual([]);
    await customer.page.getByRole('button', { name: 'Go on without camera and microphone' }).click();
    await customer.join('Clara Customer');
    expect(await customer.find('device-check').count()).toBe(0);
    const agent = await scene.agent(company);
    await agent.answer();
    await customer.waitFor('in_call');
    await customer.say('I can only write');
    await agent.openChat();
    await agent.find('chat-message').filter({ hasText: 'I can only write' }).waitFor();
  });
});
