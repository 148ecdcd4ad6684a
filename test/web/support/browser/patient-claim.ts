import type { Page } from 'playwright-core';

/** `ANSWER_MS` of web/customer/service/tab-claim.ts. */
const ANSWER_MS = 250;

/** Gives the other tabs of a page on a busy machine ten seconds to say that they hold the call. They end the wait. */
export async function waitForOtherTabs(page: Page): Promise<void> {
  await page.addInitScript((answerMs) => {
    const original = window.setTimeout;
    window.setTimeout = ((run: () => void, ms = 0) =>
      original(run, ms === answerMs ? 10_000 : ms)) as typeof window.setTimeout;
  }, ANSWER_MS);
}
