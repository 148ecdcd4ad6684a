import { setImmediate as nextTurn } from 'node:timers/promises';
import type { JoinedCall } from '../../calls/chat/joined-calls';
import type { CustomerSnapshot, StaffSnapshot } from '../snapshots/snapshots';

/** Encoding fewer characters takes well below a millisecond. */
const LONG_CHARACTERS = 50_000;

/** When the latest caller may go on. */
let latest: Promise<void> = Promise.resolve();

/**
 * Waits until the chat may be sent. Encoding the longest one takes some milliseconds for each socket: those that get theirs at
 * the same moment would block the event loop together, so each gets a turn of its own.
 */
export async function takeTurn(message: CustomerSnapshot | StaffSnapshot | JoinedCall): Promise<void> {
  if (!('chat_messages' in message)) return;
  const characters = message.chat_messages.reduce((sum, { text }) => sum + text.length, 0);
  if (characters <= LONG_CHARACTERS) return;
  latest = latest.then(() => nextTurn());
  await latest;
}
