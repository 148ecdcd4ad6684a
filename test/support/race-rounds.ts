/** Rounds of a race in `npm test`; `npm run test:durability` runs all of them. */
const FEW_ROUNDS = 3;

/** @returns how often to run a race whose outcome depends on timing; `all` is enough to see every outcome */
export const raceRounds = (all: number): number =>
  process.env.RACE_ROUNDS === 'all' ? all : Math.min(all, FEW_ROUNDS);
