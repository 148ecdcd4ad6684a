const { join } = require('node:path');
const { reporters, testSequencer, projects } = require('../../jest.config.cjs');

const rootDir = join(__dirname, '../..');
/**
 * Specs with races, orders of events or random cases. They run few rounds in `npm test`, more of them here, and all in
 * `npm run test:races`.
 */
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

/** Races of which `npm test` runs few rounds, and only `npm run test:races` all. */
const OTHER_RACES = [
  'callbacks/callback-races',
  'calls/requeue-races',
  'routing/agents/state-races',
  'routing/edit-call',
  'routing/estimates/estimate-reads',
  'routing/overflow-races',
  'routing/skill-deletion',
  'routing/transfer-races',
];

const e2e = projects.find(({ displayName }) => displayName === 'e2e');

process.env.RACE_ROUNDS ??= 'some';
const hasAllRounds = process.env.RACE_ROUNDS === 'all';

/**
 * Specs that start or kill processes, prove that stored objects survive failures, or measure memory. They are not part
 * of `npm test`, because they take as long as all other specs together.
 */
module.exports = {
  rootDir,
  // Two more than the cores of the smallest machine: the specs wait half of their time, for limits and starts.
  maxWorkers: 4,
  testTimeout: 120_000,
  reporters: reporters.map((reporter) => reporter.replace('<rootDir>', rootDir)),
  testSequencer: testSequencer.replace('<rootDir>', rootDir),
  projects: [
    {
      ...e2e,
      rootDir,
      displayName: 'durability',
      testMatch: [
        ...(hasAllRounds ? [] : ['<rootDir>/test/durability/**/*.e2e-spec.ts']),
        ...[...RACES, ...(hasAllRounds ? OTHER_RACES : [])].map(
          (path) => `<rootDir>/test/${path}.e2e-spec.ts`,
        ),
      ],
      testPathIgnorePatterns: [],
    },
  ],
};
