import type { Browser } from 'playwright-core';
import { launchBrowser } from '../browser/chromium';
import { sharedServers } from '../shared-servers';
import { NetworkNamespace } from './network-namespace';

/**
 * A browser in a network namespace, for the tests of the describe block. Where this machine allows no namespaces, `it`
 * skips the tests and a notice says why; in CI (CI=true) they fail.
 */
export function browserInNamespace() {
  const { address, refusal } = sharedServers();
  const isRequired = process.env.CI === 'true';
  let namespace: NetworkNamespace | undefined;
  let browser: Browser | undefined;

  beforeAll(async () => {
    if (refusal !== null) return explain(refusal, isRequired);
    const created = await NetworkNamespace.create(address);
    namespace = created;
    browser = await launchBrowser({ wrap: (program) => created.executable(program) });
  });
  afterEach(async () => namespace?.heal());
  afterAll(async () => {
    await browser?.close();
    await namespace?.remove();
  });

  return {
    it: refusal === null || isRequired ? it : it.skip,
    get browser(): Browser {
      return browser as Browser;
    },
    get network(): NetworkNamespace {
      return namespace as NetworkNamespace;
    },
  };
}

function explain(refusal: string, isRequired: boolean): void {
  const message = `This machine allows no network namespaces, so no network was cut: ${refusal}`;
  if (isRequired) throw new Error(message);
  process.stderr.write(`NOTICE: ${message}\n`);
}
