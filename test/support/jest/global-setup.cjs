require('./typescript.cjs');

module.exports = require('../global-setup.ts').default;
