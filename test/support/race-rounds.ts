/** The default number of rounds in `npm test`. */
const MAX_ROUNDS = 3;

/**
 * How often to run a race whose outcome depends on timing.
 * @param all enough rounds to see every outcome, in `npm run test:races`
 * @param few rounds in `npm test`
 * @param some rounds in `npm run test:durability`; by default all of them
 */
export function raceRounds(all: number, few = MAX_ROUNDS, some = all): number {
  if (process.env.RACE_ROUNDS === 'all') return all;
  return Math.min(all, process.env.RACE_ROUNDS === 'some' ? some : few);
}
