import type { Page } from 'playwright-core';

interface Rings {
  notes: number;
  notifications: string[];
  /** Those of them that the page has closed. */
  closed: string[];
  /** All that the tab has shown. */
  titles: string[];
  audioContexts: AudioContext[];
}

declare global {
  var rings: Rings | undefined;
}

/**
 * Records how the page rings. Notifications are shown nowhere.
 * @param permission by default they are allowed; with `default`, they are once the page has asked
 */
export async function recordRings(page: Page, permission: NotificationPermission = 'granted'): Promise<void> {
  await page.addInitScript((initial) => {
    const rings: Rings = { notes: 0, notifications: [], closed: [], titles: [], audioContexts: [] };
    globalThis.rings = rings;
    globalThis.AudioContext = class extends AudioContext {
      constructor(options?: AudioContextOptions) {
        super(options);
        rings.audioContexts.push(this);
      }
    };
    const { start } = OscillatorNode.prototype;
    OscillatorNode.prototype.start = function (when) {
      rings.notes += 1;
      start.call(this, when);
    };
    class RecordedNotification extends EventTarget {
      static permission = initial;
      static async requestPermission() {
        return (RecordedNotification.permission = 'granted');
      }
      constructor(private readonly title: string) {
        super();
        if (RecordedNotification.permission === 'granted') rings.notifications.push(title);
      }
      close() {
        rings.closed.push(this.title);
      }
    }
    Object.assign(globalThis, { Notification: RecordedNotification });
    addEventListener('DOMContentLoaded', () => {
      const observer = new MutationObserver(() => rings.titles.push(document.title));
      observer.observe(document.head, { childList: true, subtree: true, characterData: true });
    });
  }, permission);
}

/** What the page has done since it was loaded. */
export const ringsOf = async (page: Page): Promise<Omit<Rings, 'audioContexts'>> =>
  (await page.evaluate(() => {
    if (!globalThis.rings) return undefined;
    const { audioContexts: _, ...rings } = globalThis.rings;
    return rings;
  })) ?? { notes: 0, notifications: [], closed: [], titles: [] };

/** The states of the page's audio contexts. */
export const audioStates = (page: Page): Promise<string[]> =>
  page.evaluate(() => (globalThis.rings?.audioContexts ?? []).map(({ state }) => state));

/** Makes the page believe that its tab is in the background, or in front again. */
export async function showTab(page: Page, isVisible: boolean): Promise<void> {
  await page.evaluate(
    (state) => {
      Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => state });
      document.dispatchEvent(new Event('visibilitychange'));
    },
    isVisible ? ('visible' as const) : ('hidden' as const),
  );
}
