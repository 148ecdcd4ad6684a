const { globSync, readFileSync } = require('node:fs');
const { join } = require('node:path');
const { projects } = require('../../jest.config.cjs');

const rootDir = join(__dirname, '../..');
/** Specs with races, orders of events or random cases that run few rounds in `npm test`, and more of them here. */
const RACES = [
  'analytics/analytics-figures',
  'billing/payment-history',
  'calls/lock-order',
  'customers/customers-merge',
  'recordings/recordings',
  'routing/claim-races',
  'routing/offer-races',
  'routing/plan-races',
  'routing/routing-model',
  'routing/skill-races',
  'routing/transfer-offer-races',
];

const e2e = projects.find(({ displayName }) => displayName === 'e2e');

process.env.RACE_ROUNDS ??= 'some';
const hasAllRounds = process.env.RACE_ROUNDS === 'all';

/** All specs with races, all of whose rounds `npm run test:races` runs. */
const allRaces = () =>
  globSync('test/**/*.e2e-spec.ts', { cwd: rootDir }).filter((path) =>
    readFileSync(join(rootDir, path), 'utf8').includes('raceRounds('),
  );

/**
 * Specs that start or kill processes, prove that stored objects survive failures, or measure memory. They are not part
 * of `npm test`, because they take as long as all other specs together.
 */
module.exports = {
  rootDir,
  // Two more than the cores of the smallest machine: the specs wait half of their time, for limits and starts.
  maxWorkers: 4,
  testTimeout: hasAllRounds ? 600_000 : 120_000,
  projects: [
    {
      ...e2e,
      rootDir,
      displayName: 'durability',
      testMatch: hasAllRounds
        ? allRaces().map((path) => `<rootDir>/${path}`)
        : ['durability/**/*', ...RACES].map((path) => `<rootDir>/test/${path}.e2e-spec.ts`),
      testPathIgnorePatterns: [],
    },
  ],
};
