// What this process knows for certain about a line in which all customers are its own, in which nobody has priority, and
// which customers leave only when an agent accepts them or they go: so a position can be checked without asking the service.
import { CounterTree } from './counter-tree.mjs';

/**
 * The service sends positions at most four times a second, and computes them before: so long may a customer keep a position
 * that is too high.
 */
export const MAX_STALE_MS = 5000;

export class LineModel {
  /** Customers in the order in which their joins were sent; they count until it is known for MAX_STALE_MS that they left. */
  #possible = new CounterTree();
  /** Customers in the order in which their joins were answered; they count until they begin to leave. */
  #certain = new CounterTree();
  #maxStaleMs;
  #expiring = [];

  constructor(maxStaleMs = MAX_STALE_MS) {
    this.#maxStaleMs = maxStaleMs;
  }

  /** Call it before the join is sent. @returns the place, for the other methods */
  beginJoin() {
    return { sent: this.#possible.append(), certainBefore: this.#certain.length };
  }

  endJoin(place) {
    place.certain = this.#certain.append();
    place.possibleUntil = this.#possible.length;
  }

  /** Call it before a request is sent by which the customer leaves the line. */
  beginLeaving(place) {
    this.#certain.remove(place.certain);
  }

  /** The customer has certainly left. @param nowMs of a monotonic clock */
  endLeaving(place, nowMs) {
    this.#certain.remove(place.certain);
    this.#expiring.push({ place, at: nowMs + this.#maxStaleMs });
  }

  /** The lowest and the highest position that can be right for the customer now. */
  bounds(place, nowMs) {
    while (this.#expiring[0]?.at <= nowMs) this.#possible.remove(this.#expiring.shift().place.sent);
    const ahead = this.#possible.countOfFirst(place.possibleUntil);
    return {
      min: 1 + this.#certain.countOfFirst(place.certainBefore),
      max: Math.max(1, this.#possible.has(place.sent) ? ahead : ahead + 1),
    };
  }
}
