const { join } = require('node:path');
const { projects } = require('../../jest.config.cjs');

const rootDir = join(__dirname, '../..');
const e2e = projects.find(({ displayName }) => displayName === 'e2e');

/** Specs with two instances and Redis. They run separately, because Redis is not installed everywhere. */
module.exports = {
  rootDir,
  maxWorkers: 1,
  // Only to end tests that hang. They start and replace instances, which takes minutes on a busy machine.
  testTimeout: 300_000,
  projects: [
    {
      ...e2e,
      rootDir,
      displayName: 'scale',
      roots: ['<rootDir>/test/scale'],
      testMatch: ['<rootDir>/test/scale/*.scale-spec.ts'],
    },
  ],
};
