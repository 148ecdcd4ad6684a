const { join } = require('node:path');
const { reporters, testSequencer, projects } = require('../../jest.config.cjs');

const rootDir = join(__dirname, '../..');
const e2e = projects.find(({ displayName }) => displayName === 'e2e');

/**
 * Specs that start or kill processes, or measure memory: apart from `npm test`, because they take as long as all others
 * together. Races run all their rounds here.
 */
process.env.RACE_ROUNDS ??= 'all';

module.exports = {
  rootDir,
  maxWorkers: 2,
  testTimeout: 60_000,
  reporters: reporters.map((reporter) => reporter.replace('<rootDir>', rootDir)),
  testSequencer: testSequencer.replace('<rootDir>', rootDir),
  projects: [
    {
      ...e2e,
      rootDir,
      displayName: 'durability',
      testMatch: ['<rootDir>/test/durability/**/*.e2e-spec.ts', '<rootDir>/test/**/*.race-spec.ts'],
      testPathIgnorePatterns: [],
    },
  ],
};
