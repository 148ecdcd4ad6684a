const durability = require('../durability/jest.config.cjs');

/**
 * Specs of what an operator runs and configures: the commands, migrations and rollouts, backups and their restoration, rotated
 * secrets, metrics, what deploy/ has, the image's packages, the embedded database, mail, jobs and the limits of rates and connections.
 */
module.exports = {
  ...durability,
  projects: durability.projects.map((project) => ({
    ...project,
    displayName: 'operations',
    testMatch: ['<rootDir>/test/operations/**/*.e2e-spec.ts'],
  })),
};
