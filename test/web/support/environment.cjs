const SharedEnvironment = require('../../support/jest/environment.cjs');

/** Lets a spec save screenshots before its `afterEach` hooks close the pages of a failed test. */
module.exports = class WebEnvironment extends SharedEnvironment {
  /** @returns {void | Promise<void>} */
  handleTestEvent(event) {
    super.handleTestEvent(event);
    if (event.name === 'test_fn_failure') return globalThis.onTestFailure?.(fullName(event.test));
  }
};

function fullName(test) {
  const names = [];
  for (let node = test; node.parent; node = node.parent) names.unshift(node.name);
  return names.join(' ');
}
