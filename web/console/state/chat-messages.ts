import type { ChatMessage } from '../../shared/socket';

/** @returns all messages once, the oldest first: those of a snapshot repeat what events brought */
export function mergeMessages(known: readonly ChatMessage[], more: readonly ChatMessage[]): ChatMessage[] {
  const byId = new Map([...known, ...more].map((message) => [message.id, message]));
  return [...byId.values()].sort((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0));
}
