const { TestEnvironment } = require('jest-environment-node');

/** Lets a spec save screenshots before its `afterEach` hooks close the pages of a failed test. */
module.exports = class WebEnvironment extends TestEnvironment {
  /** @returns {void | Promise<void>} */
  handleTestEvent({ name, test }) {
    return name === 'test_fn_failure' ? this.global.onTestFailure?.(fullName(test)) : undefined;
  }
};

function fullName(test) {
  const names = [];
  for (let node = test; node.parent; node = node.parent) names.unshift(node.name);
  return names.join(' ');
}
