import { callScene } from './support/call-scene';
import { createCompany } from './support/company';
import { PATIENCE_MS } from './support/pages/test-id';

const scene = callScene();

/** What a refused permission can be changed by, in each browser. */
const BROWSERS = [
  [
    'Chrome',
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Safari/537.36',
    'Turn on camera and microphone.',
  ],
  [
    'Firefox',
    'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    'Click the crossed-out camera or microphone in the address bar.',
  ],
  [
    'Safari on an iPhone',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
    'Tap “Website Settings”.',
  ],
  [
    'Safari on a Mac',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15',
    'Open the menu “Safari”, then “Settings for This Website…”.',
  ],
  [
    'Samsung Internet',
    'Mozilla/5.0 (Linux; Android 14; SM-S911B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/25.0 Chrome/121.0.0.0 Mobile Safari/537.36',
    'Tap the lock beside the address.',
  ],
  [
    'an app that can make calls',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Instagram 380.0.0.28.104',
    'Choose “Open in browser”.',
  ],
] as const;

describe('refused camera and microphone', () => {
  it.each(BROWSERS)('in %s are explained in its own words', async (_, userAgent, step) => {
    const customer = await scene.waiting(await createCompany(), { context: { userAgent, permissions: [] } });
    await customer.click('device-check');
    const explanation = customer.page.locator('[data-testid="permission"][data-state="refused"]');
    await explanation.waitFor({ timeout: PATIENCE_MS });
    expect(await explanation.locator('li').allTextContents()).toContain(step);
    expect(await explanation.locator('li').count()).toBeGreaterThanOrEqual(2);
  });
});
