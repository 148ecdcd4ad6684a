import { signal } from '@preact/signals-core';

/** A text that former releases kept in the browser of its user. */
export interface BrowserReply {
  title: string;
  text: string;
}

const keyOf = (userId: string) => `vcq-canned-notes ${userId}`;
const offeredKeyOf = (userId: string) => `vcq-canned-notes-offered ${userId}`;

/** Counts the changes, for `useBrowserReplies`. */
export const browserReplyChanges = signal(0);

/** The texts of this browser, until they belong to the company or are removed. */
export const browserReplies = {
  read(userId: string): BrowserReply[] {
    try {
      const stored: unknown = JSON.parse(localStorage.getItem(keyOf(userId)) ?? '[]');
      return Array.isArray(stored) ? stored.filter(isReply) : [];
    } catch {
      return [];
    }
  },
  remove(userId: string, { title, text }: BrowserReply): void {
    const rest = this.read(userId).filter((reply) => reply.title !== title || reply.text !== text);
    if (rest.length > 0) localStorage.setItem(keyOf(userId), JSON.stringify(rest));
    else localStorage.removeItem(keyOf(userId));
    browserReplyChanges.value++;
  },
  /** Whether the user has been asked whether the company gets them. */
  wasOffered: (userId: string): boolean => localStorage.getItem(offeredKeyOf(userId)) !== null,
  noteOffer(userId: string): void {
    localStorage.setItem(offeredKeyOf(userId), 'yes');
    browserReplyChanges.value++;
  },
};

function isReply(value: unknown): value is BrowserReply {
  const { title, text } = (value ?? {}) as Partial<BrowserReply>;
  return typeof title === 'string' && typeof text === 'string';
}
