/** Everything runs through SWC: type checking is `npm run types`, not the tests' business. */
const swc = [
  '@swc/jest',
  {
    sourceMaps: 'inline',
    module: { type: 'commonjs' },
    jsc: {
      target: 'es2023',
      parser: { syntax: 'typescript', decorators: true },
      transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
      keepClassNames: true,
    },
  },
];

const common = {
  testEnvironment: 'node',
  transform: { '^.+\\.[tj]s$': swc },
  moduleNameMapper: {
    '^(\\.{1,2}/.*)\\.js$': '$1',
    '^srvx/node$': '<rootDir>/test/support/srvx-node.cjs',
  },
  transformIgnorePatterns: [
    '/node_modules/(?!(@nestjs|@scure|@noble|pg-boss|serialize-error|non-error|file-type|strtok3|token-types|uint8array-extras|@tokenizer|@borewit|content-disposition|@tus)/)',
  ],
};

module.exports = {
  // Two cores: one for the test, one for the database it talks to.
  maxWorkers: 2,
  testTimeout: 30_000,
  projects: [
    {
      ...common,
      displayName: 'unit',
      roots: ['<rootDir>/src', '<rootDir>/migrations'],
      testMatch: ['**/*.spec.ts'],
    },
    {
      ...common,
      displayName: 'e2e',
      roots: ['<rootDir>/test'],
      testMatch: ['<rootDir>/test/**/*.e2e-spec.ts'],
      globalSetup: '<rootDir>/test/support/global-setup.ts',
      globalTeardown: '<rootDir>/test/support/global-teardown.ts',
    },
  ],
};
