require('./typescript.cjs');
const forgetSources = require('./forget-sources.cjs');

module.exports = async function globalSetup() {
  forgetSources();
  await require('../global-setup.ts').default();
};
