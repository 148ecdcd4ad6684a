const { globSync, readFileSync } = require('node:fs');
const path = require('node:path');

/** How Jest compiles a file. Types are checked by `npm run types`. */
const swc = (parser, transform) => [
  '@swc/jest',
  {
    swcrc: false,
    sourceMaps: 'inline',
    module: { type: 'commonjs' },
    jsc: { target: 'es2023', parser: { syntax: 'typescript', ...parser }, transform, keepClassNames: true },
  },
];

/** Packages of ES modules, which Jest requires only if they are compiled, as single files of others are (`.mjs`). */
const esPackages = globSync('node_modules/{*,@*/*}/package.json', { cwd: __dirname })
  .filter((file) => JSON.parse(readFileSync(`${__dirname}/${file}`, 'utf8')).type === 'module')
  .map((file) => path.dirname(file).slice('node_modules/'.length));

const common = {
  testEnvironment: 'node',
  transform: {
    '\\.m?[jt]s$': swc(
      { decorators: true },
      { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
    ),
    '\\.tsx$': swc({ tsx: true }, { react: { runtime: 'automatic', importSource: 'preact' } }),
  },
  transformIgnorePatterns: [`/node_modules/(?!(${esPackages.join('|')})/)(?!.*\\.mjs$)`],
  // What the service imports when it needs it: the name is that of the compiled file.
  moduleNameMapper: { '^(\\.{1,2}/.*(?:s3-storage|openai-client|opentelemetry))\\.js$': '$1' },
};

/** Options of Jest that do not say which spec files run; the first ones are followed by a value. */
const WITH_VALUE = /^(?:--config|-c|--maxWorkers|-w|--testNamePattern|-t)$/;
const OTHER =
  /^--(?:selectProjects|config=.*|maxWorkers=.*|runInBand|ci|verbose|silent|coverage|json|forceExit|detectOpenHandles|logHeapUsage|listTests)$/;
const PROJECTS = new Set(['unit', 'web', 'e2e']);

/** Whether Jest was asked for certain spec files, as by `npm test -- rating` or --watch. Each of them is a test file then. */
const isPart =
  !process.argv.some((text) => /\.e2e(\.ts)?$/.test(text)) &&
  process.argv
    .slice(2)
    .some(
      (text, index, all) =>
        !WITH_VALUE.test(text) &&
        !WITH_VALUE.test(all[index - 1] ?? '') &&
        !OTHER.test(text) &&
        !PROJECTS.has(text),
    );

module.exports = {
  // One more than the two cores of the smallest machine: a worker waits for the database a fifth of its time.
  maxWorkers: 3,
  // Only to end tests that hang: a busy machine can be ten times slower.
  testTimeout: 120_000,
  testSequencer: '<rootDir>/test/support/jest/longest-first-sequencer.cjs',
  projects: [
    {
      ...common,
      displayName: 'unit',
      roots: ['<rootDir>/src', '<rootDir>/migrations', '<rootDir>/scripts'],
      testMatch: ['**/*.spec.ts'],
    },
    {
      ...common,
      displayName: 'web',
      roots: ['<rootDir>/web'],
      testMatch: ['**/*.spec.ts'],
    },
    {
      ...common,
      displayName: 'e2e',
      roots: ['<rootDir>/test'],
      // test/<folder>/<folder>.e2e.ts requires all spec files of its folder.
      testMatch: [`<rootDir>/test/**/*.${isPart ? 'e2e-spec' : 'e2e'}.ts`],
      testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/durability/', '<rootDir>/test/operations/'],
      globalSetup: '<rootDir>/test/support/global-setup.ts',
      globalTeardown: '<rootDir>/test/support/global-teardown.ts',
    },
  ],
};
