const { relative } = require('node:path');

const MAX_LISTED = 10;

/** Lists the slowest spec files at the end of a run with more than ten spec files. */
module.exports = class SlowestSpecsReporter {
  constructor({ rootDir }) {
    this.rootDir = rootDir;
  }

  onRunComplete(_contexts, { testResults }) {
    if (testResults.length <= MAX_LISTED) return;
    const slowest = testResults
      .toSorted((a, b) => b.perfStats.runtime - a.perfStats.runtime)
      .slice(0, MAX_LISTED);
    const lines = slowest.map(({ testFilePath, perfStats }) => {
      const seconds = (perfStats.runtime / 1000).toFixed(1).padStart(7);
      return `${seconds} s  ${relative(this.rootDir, testFilePath)}\n`;
    });
    process.stderr.write(`\nSlowest spec files:\n${lines.join('')}`);
  }
};
