/** Modules are loaded by Node, once per worker: docs/decisions/0043-one-module-registry-per-worker.md. */
const common = {
  testEnvironment: '<rootDir>/test/support/jest/environment.cjs',
  testRunner: '<rootDir>/test/support/jest/runner.cjs',
  transform: {},
};

module.exports = {
  // One more than the two cores of the smallest machine: a worker waits for the database a fifth of its time.
  maxWorkers: 3,
  // Only to end tests that hang: a busy machine can be ten times slower.
  testTimeout: 120_000,
  testSequencer: '<rootDir>/test/support/jest/slowest-first-sequencer.cjs',
  reporters: ['default', '<rootDir>/test/support/jest/slowest-specs-reporter.cjs'],
  projects: [
    {
      ...common,
      displayName: 'unit',
      roots: ['<rootDir>/src', '<rootDir>/migrations', '<rootDir>/scripts'],
      testMatch: ['**/*.spec.ts'],
      globalSetup: '<rootDir>/test/support/jest/forget-sources.cjs',
    },
    {
      ...common,
      displayName: 'web',
      roots: ['<rootDir>/web'],
      testMatch: ['**/*.spec.ts'],
      globalSetup: '<rootDir>/test/support/jest/forget-sources.cjs',
    },
    {
      ...common,
      displayName: 'e2e',
      roots: ['<rootDir>/test'],
      testMatch: ['<rootDir>/test/**/*.e2e-spec.ts'],
      testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/durability/', '<rootDir>/test/operations/'],
      globalSetup: '<rootDir>/test/support/jest/global-setup.cjs',
      globalTeardown: '<rootDir>/test/support/jest/global-teardown.cjs',
    },
  ],
};
