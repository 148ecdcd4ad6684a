const stopDatabase = require('../../support/jest/global-teardown.cjs');
const isWholeRun = require('./whole-run.cjs');

module.exports = async function globalTeardown(globalConfig, projectConfig) {
  // Without workers the specs have run in this process.
  await require('./browser/chromium.ts').closeSharedBrowsers();
  await require('./shared-servers.ts').stopSharedServers();
  await stopDatabase();
  if (isWholeRun(globalConfig, projectConfig)) expectLooks();
};

function expectLooks() {
  const { PAGES } = require('../../../web/console/app/pages.ts');
  require('./browser/page-pictures.ts').expectPictures(PAGES.map(({ id }) => id));
  require('./browser/looked-at.ts').expectLooksAtCustomersPage();
}
