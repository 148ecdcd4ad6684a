const { join } = require('node:path');
const { projects } = require('../../jest.config.cjs');

const rootDir = join(__dirname, '../..');
const e2e = projects.find(({ displayName }) => displayName === 'e2e');

/** Specs that use the pages in a real Chromium. They need chromium and, for some of them, coturn, nft and namespaces. */
module.exports = {
  rootDir,
  // Two more than the cores of the smallest machine: the specs wait for half of their time, for networks that are cut and timers.
  maxWorkers: 4,
  // Each wait has a limit of its own: some tests make dozens of them, and a busy machine is several times slower.
  testTimeout: 600_000,
  projects: [
    {
      ...e2e,
      rootDir,
      displayName: 'web',
      roots: ['<rootDir>/test/web'],
      testMatch: ['<rootDir>/test/web/**/*.web-spec.ts'],
      testPathIgnorePatterns: ['/node_modules/'],
      testEnvironment: '<rootDir>/test/web/support/environment.cjs',
      globalSetup: '<rootDir>/test/web/support/global-setup.ts',
      globalTeardown: '<rootDir>/test/web/support/global-teardown.ts',
    },
  ],
};
