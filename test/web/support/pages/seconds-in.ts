import type { Locator } from 'playwright-core';

/** The first number of a text, or its first time such as `4:05`, in seconds. Waits until the text has one. */
export async function secondsIn(text: Locator): Promise<number> {
  const content = (await text.filter({ hasText: /\d/ }).textContent()) ?? '';
  const [found] = /\d+(:\d\d)*/.exec(content) ?? [];
  if (found === undefined) throw new Error(`There is no time in "${content}"`);
  return found.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
}
