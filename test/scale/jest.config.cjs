const { join } = require('node:path');
const { projects } = require('../../jest.config.cjs');

const rootDir = join(__dirname, '../..');
const e2e = projects.find(({ displayName }) => displayName === 'e2e');

/** Specs with two instances and Redis. They run separately, because Redis is not installed everywhere. */
module.exports = {
  rootDir,
  maxWorkers: 1,
  testTimeout: 60_000,
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
