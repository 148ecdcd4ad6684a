// Doubled offers: a call rings at two agents, an agent is offered two calls, or one offer arrives twice.

/** The clocks of instances may differ by this much. */
const MAX_CLOCK_DIFFERENCE_MS = 100;

/**
 * @param offers `{ id, callId, userId, offeredAt, endedAt, deliveries }` as the agents saw them; times in ms, endedAt undefined
 *   while an offer is pending; `deliveries` counts how often one socket received it
 * @param starts `{ callId, userId }` of each offer that was accepted with success
 * @returns a sentence for each one that is doubled
 */
export function doubledOffers(offers, starts = []) {
  return [
    ...overlaps(offers, 'callId', 'call').map((text) => `${text} at two agents`),
    ...overlaps(offers, 'userId', 'agent').map((text) => `${text}: two calls`),
    ...offers
      .filter(({ deliveries }) => deliveries > 1)
      .map(({ id }) => `offer ${id} arrived more than once`),
    ...repeated(starts.map(({ callId }) => callId)).map((id) => `call ${id} was started by two agents`),
  ];
}

/** @returns the names of those with two offers at the same time */
function overlaps(offers, key, word) {
  return Object.entries(Object.groupBy(offers, (offer) => offer[key])).flatMap(([id, group]) => {
    let end = -Infinity;
    let count = 0;
    for (const { offeredAt, endedAt = Infinity } of group.toSorted((a, b) => a.offeredAt - b.offeredAt)) {
      if (offeredAt < end - MAX_CLOCK_DIFFERENCE_MS) count++;
      end = Math.max(end, endedAt);
    }
    return Array.from({ length: count }, () => `${word} ${id}`);
  });
}

function repeated(ids) {
  const seen = new Set();
  return ids.filter((id) => seen.size === seen.add(id).size);
}
