const { tmpdir } = require('node:os');
const { join } = require('node:path');
const startDatabase = require('../../support/jest/global-setup.cjs');
const isWholeRun = require('./whole-run.cjs');

module.exports = async function globalSetup(globalConfig, projectConfig) {
  // TMPDIR of the run is removed at its end; what helps to understand a failure stays.
  process.env.WEB_TEST_FAILURES = join(tmpdir(), 'video-queue-web-failure-');
  await startDatabase();
  if (isWholeRun(globalConfig, projectConfig)) require('./browser/page-pictures.ts').removePictures();
  await require('./shared-servers.ts').startSharedServers();
};
