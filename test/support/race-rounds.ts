/** The default number of rounds in `npm test`. */
const MAX_ROUNDS = 3;

/** Whether races run all their rounds, so that each of their outcomes must be seen. */
export const hasAllRounds = (): boolean => process.env.RACE_ROUNDS === 'all';

/**
 * How often to run a race whose outcome depends on timing.
 * @param all enough rounds to see every outcome, in `npm run test:races`
 * @param few rounds in `npm test`
 * @param some rounds in `npm run test:durability`; by default all of them
 */
export function raceRounds(all: number, few = MAX_ROUNDS, some = all): number {
  if (hasAllRounds()) return all;
  return Math.min(all, process.env.RACE_ROUNDS === 'some' ? some : few);
}
