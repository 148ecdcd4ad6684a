/** The maximum number of rounds in `npm test`; `npm run test:durability` runs all of them. */
const MAX_ROUNDS = 3;

/** @returns how often to run a race whose outcome depends on timing. @param all enough rounds to see every outcome */
export const raceRounds = (all: number): number =>
  process.env.RACE_ROUNDS === 'all' ? all : Math.min(all, MAX_ROUNDS);
