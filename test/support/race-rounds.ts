/** The default number of rounds in `npm test`; `npm run test:durability` runs all of them. */
const MAX_ROUNDS = 3;

/**
 * How often to run a race whose outcome depends on timing.
 * @param all enough rounds to see every outcome
 * @param few rounds in `npm test`
 */
export const raceRounds = (all: number, few = MAX_ROUNDS): number =>
  process.env.RACE_ROUNDS === 'all' ? all : Math.min(all, few);
