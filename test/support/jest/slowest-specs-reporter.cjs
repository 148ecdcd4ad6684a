const { relative } = require('node:path');

const COUNT = 10;

/** Lists the slowest spec files at the end of a run that had more than those. */
module.exports = class SlowestSpecsReporter {
  constructor({ rootDir }) {
    this.rootDir = rootDir;
  }

  onRunComplete(_contexts, { testResults }) {
    if (testResults.length <= COUNT) return;
    const slowest = testResults.toSorted((a, b) => b.perfStats.runtime - a.perfStats.runtime).slice(0, COUNT);
    const lines = slowest.map(({ testFilePath, perfStats }) => {
      const seconds = (perfStats.runtime / 1000).toFixed(1).padStart(7);
      return `${seconds} s  ${relative(this.rootDir, testFilePath)}\n`;
    });
    process.stderr.write(`\nSlowest spec files:\n${lines.join('')}`);
  }
};
