/** Twice the members that the largest payload may have: a signal with a session description or a candidate. */
const MAX_MEMBERS = 32;
const MAX_DEPTH = 4;
const MAX_KEY_LENGTH = 100;

/**
 * Whether a payload is small enough to be validated in no time, whatever its content: the number of its members and
 * their depth are limited, while its size in bytes is limited by the transport.
 * @param payload parsed JSON; binary data is too large because no event has any
 */
export function isSmallPayload(payload: unknown): boolean {
  return countMembers(payload, 0) <= MAX_MEMBERS;
}

/** Characters of a payload that are relayed for the price of one event: more than most session descriptions have. */
const CHARACTERS_PER_EVENT = 8192;

/**
 * As how many events a small payload counts: one with long texts costs as much as several short ones, for each socket
 * that it is relayed to.
 */
export const weightOf = (payload: unknown): number =>
  Math.max(1, Math.ceil(countCharacters(payload) / CHARACTERS_PER_EVENT));

function countCharacters(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce<number>((sum, member) => sum + countCharacters(member), 0);
}

/** Stops counting at the limit. */
function countMembers(value: unknown, depth: number): number {
  if (typeof value !== 'object' || value === null) return 0;
  if (depth === MAX_DEPTH || ArrayBuffer.isView(value)) return Infinity;
  if (Array.isArray(value) && value.length > MAX_MEMBERS) return Infinity;
  const keys = Object.keys(value);
  let count = keys.length;
  for (const key of keys) {
    if (count > MAX_MEMBERS || key.length > MAX_KEY_LENGTH) return Infinity;
    count += countMembers((value as Record<string, unknown>)[key], depth + 1);
  }
  return count;
}
