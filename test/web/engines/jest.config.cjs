const web = require('../jest.config.cjs');

/** Specs that use the pages in engines other than Chromium: firefox-esr, and WebKitWebDriver of webkit2gtk-driver with Xvfb. */
module.exports = {
  ...web,
  maxWorkers: 2,
  projects: web.projects.map((project) => ({
    ...project,
    displayName: 'browsers',
    roots: ['<rootDir>/test/web/engines'],
    testMatch: ['<rootDir>/test/web/engines/**/*.engine-spec.ts'],
  })),
};
