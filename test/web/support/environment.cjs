const SharedEnvironment = require('../../support/jest/environment.cjs');

/** Lets a spec save screenshots before its `afterEach` hooks close the pages of a failed test. */
module.exports = class WebEnvironment extends SharedEnvironment {
  /** @returns {void | Promise<void>} */
  handleTestEvent(event) {
    const handled = super.handleTestEvent(event);
    return event.name === 'test_fn_failure' ? globalThis.onTestFailure?.(fullName(event.test)) : handled;
  }
};

function fullName(test) {
  const names = [];
  for (let node = test; node.parent; node = node.parent) names.unshift(node.name);
  return names.join(' ');
}
