// When a position is wrong: realtime.md promises a customer who waits that each position is a real one. All functions are
// pure; they return what is wrong as a sentence, or undefined.

/**
 * A position that one customer receives.
 * @param last position that they received before, if any: a line in which nobody has priority moves in one direction
 * @param bounds of LineModel
 */
export function wrongPosition({ position, queueSize, last, bounds }) {
  if (!Number.isInteger(position) || position < 1) return `position ${position} is none`;
  if (queueSize !== undefined && position > queueSize) return `position ${position} of ${queueSize}`;
  if (last !== undefined && position > last) return `position ${position} after ${last}`;
  return outOfBounds(position, bounds);
}

/** A position that a customer has kept for a while, because they received no other one. */
export function outOfBounds(position, { min, max }) {
  if (position < min) return `position ${position}, although ${min - 1} others are ahead`;
  if (position > max) return `position ${position}, although at most ${max - 1} others are ahead`;
  return undefined;
}

/**
 * A customer's position compared with the line that staff saw before and after it was read: since customers only move up, it
 * is between the two.
 * @param before and after: the ids of the calls in the order of the line, its first ones
 */
export function wrongAgainstLine({ callId, position, before, after }) {
  const highest = before.indexOf(callId) + 1;
  // They had left, or had not been among the first ones.
  if (highest === 0 || position === 0) return undefined;
  const lowest = after.indexOf(callId) + 1;
  if (lowest === 0)
    return position > highest ? `position ${position}, in the line of staff ${highest}` : undefined;
  if (position < lowest || position > highest) {
    return `position ${position}, in the line of staff ${highest} before and ${lowest} after`;
  }
  return undefined;
}
