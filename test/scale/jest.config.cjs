const { join } = require('node:path');
const { projects } = require('../../jest.config.cjs');

const rootDir = join(__dirname, '../..');
const e2e = projects.find(({ displayName }) => displayName === 'e2e');

/** Two instances and Redis: apart from the other tests, since Redis is not everywhere. */
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
