const durability = require('../durability/jest.config.cjs');

/** Specs of what an operator runs: the commands, the Compose file and the embedded database. */
module.exports = {
  ...durability,
  projects: durability.projects.map((project) => ({
    ...project,
    displayName: 'operations',
    testMatch: ['<rootDir>/test/operations/**/*.e2e-spec.ts'],
  })),
};
