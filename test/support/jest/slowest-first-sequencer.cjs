const { basename } = require('node:path');
const { default: Sequencer } = require('@jest/test-sequencer');
const knownSeconds = require('./slow-specs.json');

/**
 * Starts the slowest spec files first, so that no worker starts a slow one when the others have finished. The durations
 * are those of the last run if Jest has cached them, otherwise those of slow-specs.json. Before all of them come those without
 * an application: their fake timers would stop the background tasks of the one that the later specs of the worker share.
 */
module.exports = class SlowestFirstSequencer extends Sequencer {
  sort(tests) {
    // Reads the durations of the last run into `duration`, in milliseconds, and sorts the unknown ones by size.
    const sorted = super.sort(tests);
    return sorted.toSorted(
      (a, b) => usesApplication(a) - usesApplication(b) || expectedSeconds(b) - expectedSeconds(a),
    );
  }
};

const usesApplication = ({ path }) => Number(path.endsWith('.e2e-spec.ts'));

function expectedSeconds({ path, duration }) {
  return duration === undefined ? (knownSeconds[basename(path)] ?? 0) : duration / 1000;
}
