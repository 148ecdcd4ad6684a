const stopDatabase = require('../../support/jest/global-teardown.cjs');

module.exports = async function globalTeardown() {
  // Without workers the specs have run in this process.
  await require('./browser/chromium.ts').closeSharedBrowser();
  await require('./shared-servers.ts').stopSharedServers();
  await stopDatabase();
};
