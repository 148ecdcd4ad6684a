require('./typescript.cjs');
const { spawnSync } = require('node:child_process');
const { join } = require('node:path');
const forgetSources = require('./forget-sources.cjs');

const ROOT = join(__dirname, '../../..');

module.exports = async function globalSetup() {
  forgetSources();
  buildPages();
  await require('../global-setup.ts').default();
};

/** The service reads the pages from dist. */
function buildPages() {
  const script = join(ROOT, 'scripts/build-web.mjs');
  const { status } = spawnSync(process.execPath, [script, '--if-needed'], { cwd: ROOT, stdio: 'inherit' });
  if (status !== 0) throw new Error('The pages could not be built');
}
