import type { Page } from 'playwright-core';
import { until } from '../../../support/until';

/** Waits until a page receives sound that is not silence: fake microphones beep once a second. */
export async function waitForSound(page: Page): Promise<void> {
  const before = await energyReceived(page);
  await until(
    async () => (await energyReceived(page)) > before,
    () => 'no sound arrives',
  );
}

/** The energy of all sound that the page has received. */
function energyReceived(page: Page): Promise<number> {
  return page.evaluate(async () => {
    let sum = 0;
    for (const connection of window.peerConnections ?? []) {
      (await connection.getStats()).forEach((entry: Record<string, unknown>) => {
        if (entry.type === 'inbound-rtp' && entry.kind === 'audio') sum += Number(entry.totalAudioEnergy);
      });
    }
    return sum;
  });
}
