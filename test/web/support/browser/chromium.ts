import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';
import { PAGE_HOST, sharedServers } from '../shared-servers';

const PATH = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
const MISSING = `There is no ${PATH}: install chromium, on Debian with "apt-get install chromium", or set CHROMIUM_PATH.`;
/**
 * The same Chromium without windows, tabs and prompts, in which a page takes two thirds of the processor time. It grants all
 * permissions.
 */
const SHELL_PATH = '/usr/bin/chromium-headless-shell';
const HAS_SHELL = process.env.CHROMIUM_PATH === undefined && existsSync(SHELL_PATH);

/** The fewest that Chromium's fake cameras accept. */
const FRAMES_PER_SECOND = 5;

/**
 * Chromium takes the last list of features that it is given, so those that Playwright disables are repeated here. The last
 * three fill the list below the address bar, which nobody sees here: two pages for each context, which cost as much
 * processor time as the page under test.
 */
const DISABLED_FEATURES = [
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
  'WebUIOmniboxPopup',
];

export interface BrowserOptions {
  /** Needs a browser that may refuse permissions, or has more of its own than pages. */
  isWhole?: boolean;
  /** The number of cameras. The second one takes depth images, which Chromium shows and does not send. */
  cameras?: number;
  /** Makes the browser run elsewhere, for example in a network namespace. @returns the path of a program */
  wrap?: (program: string) => Promise<string>;
  /** The browser shares a drawn screen whenever a page asks for one. Then it grants camera and microphone, too. */
  sharesScreen?: boolean;
}

/** Starts a browser with fake cameras and microphones. The permissions of a whole one are those of each context. */
export async function launchBrowser(options: BrowserOptions = {}): Promise<Browser> {
  if (!existsSync(PATH)) throw new Error(MISSING);
  const { isWhole = false, cameras = 3, wrap, sharesScreen = false } = options;
  const isShell = HAS_SHELL && !isWhole && !sharesScreen;
  const program = isShell ? SHELL_PATH : PATH;
  return chromium.launch({
    executablePath: wrap ? await wrap(program) : program,
    args: [
      '--no-sandbox',
      // Each frame is encoded, decoded and drawn twice in a call, without a GPU.
      `--use-fake-device-for-media-stream=device-count=${cameras},fps=${FRAMES_PER_SECOND}`,
      ...(isShell || sharesScreen ? ['--use-fake-ui-for-media-stream'] : []),
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
      '--disable-quic',
      // Debian's start script asks for it, also where the GPU is emulated. Without any GPU (--disable-gpu) the specs take longer.
      '--disable-gpu-rasterization',
      `--disable-features=${DISABLED_FEATURES.join()}`,
      '--autoplay-policy=user-gesture-required',
      // Without another network interface a machine has loopback candidates only.
      '--allow-loopback-in-peer-connection',
      `--host-resolver-rules=MAP ${PAGE_HOST} ${sharedServers().address}`,
    ],
  });
}

const shared = new Map<boolean, Promise<Browser>>();

/** The browser of all tests of a spec file that need no other one. */
export function sharedBrowser({ isWhole = false }: Pick<BrowserOptions, 'isWhole'> = {}): Promise<Browser> {
  const browser = shared.get(isWhole) ?? launchBrowser({ isWhole });
  shared.set(isWhole, browser);
  return browser;
}

afterAll(async () => {
  for (const browser of shared.values()) await (await browser).close();
});
