// The days that npm run bench:estimates simulates.

/** Seconds. */
export const TALK = 300;
export const WRAP_UP = 60;
export const PATIENCE = 1200;
/** An agent answers an offered call after between these times. */
export const ANSWER = { min: 2, max: 8 };
export const MAX_WAIT = 1800;

const HOUR = 3600;
export const OPENS = 8 * HOUR;
export const CLOSES = 18 * HOUR;
const AGENTS = 30;

/** Calls per second that keep the number of agents busy all the time. */
const capacityOf = (agents) => agents / (TALK + WRAP_UP);
/** No line has more arrivals per second than this. */
export const MAX_RATE = 2 * capacityOf(AGENTS);
const isBetween = (time, from, to) => time >= from * HOUR && time < to * HOUR;

/**
 * Each has `groups` of agents, with the lines that they serve and how many of them are there by the second of the day, and
 * `arrivals` per second in each line.
 */
export const SCENARIOS = {
  /** Calls use 95 % of the agents' time. */
  steady: {
    groups: [{ lines: [0], agents: () => AGENTS }],
    arrivals: [() => 0.95 * capacityOf(AGENTS)],
  },
  /** For three hours, a third more calls than can be answered. */
  peak: {
    groups: [{ lines: [0], agents: () => AGENTS }],
    arrivals: [(time) => (isBetween(time, 11, 14) ? 4 / 3 : 0.8) * capacityOf(AGENTS)],
  },
  /** Agents leave one after another from 11 to 12, until 20 of 30 are left, and return from 14 to 15. */
  leaving: {
    groups: [{ lines: [0], agents: (time) => AGENTS - Math.round(10 * away(time / HOUR)) }],
    arrivals: [() => 0.9 * capacityOf(AGENTS)],
  },
  /** Ten agents serve both departments, whose peaks are at different times. */
  shared: {
    groups: [
      { lines: [0], agents: () => 10 },
      { lines: [1], agents: () => 10 },
      { lines: [0, 1], agents: () => 10 },
    ],
    arrivals: [
      (time) => (isBetween(time, 10, 13) ? 0.75 : 0.4) * capacityOf(AGENTS),
      (time) => (isBetween(time, 12, 15) ? 0.75 : 0.4) * capacityOf(AGENTS),
    ],
  },
};

/** The share of the agents who leave that have left. */
const away = (hour) => Math.max(0, Math.min(hour - 11, 1, 15 - hour));
