const { globSync } = require('node:fs');
const { dirname } = require('node:path');
const { default: Sequencer } = require('@jest/test-sequencer');

/** Takes longer than the number of its spec files tells: it sends each request of the API as each role. */
const MATRIX = 'authorisation.e2e.ts';

/** The number of spec files that a test file runs. */
function specsOf({ path }) {
  if (path.endsWith(MATRIX)) return Infinity;
  return path.endsWith('.e2e.ts') ? globSync(`${dirname(path)}/**/*.e2e-spec.ts`).length : 0;
}

/** Starts the folders with the most spec files first, so that no worker starts one when the others have finished. */
module.exports = class LongestFirstSequencer extends Sequencer {
  sort(tests) {
    const counts = new Map(tests.map((test) => [test.path, specsOf(test)]));
    return super.sort(tests).toSorted((a, b) => counts.get(b.path) - counts.get(a.path));
  }
};
