const durability = require('../durability/jest.config.cjs');

/**
 * Specs of what an operator runs and configures: the commands, migrations and rollouts, backups and their restoration, rotated
 * secrets, metrics, what deploy/ has, the image's packages, the embedded database, mail, jobs and the limits of rates and connections.
 */
module.exports = {
  ...durability,
  // Only to end tests that hang. They start services, databases and commands: on a busy machine these take minutes together.
  testTimeout: 300_000,
  projects: durability.projects.map((project) => ({
    ...project,
    displayName: 'operations',
    testMatch: ['<rootDir>/test/operations/**/*.e2e-spec.ts'],
  })),
};
