/**
 * Runs a spec file with jest-circus, as Jest does, but lets Node's own `require` load it and all that it imports. Thus
 * a module is loaded once per worker instead of once per spec file, and no module is compiled or sandboxed by Jest.
 */
require('./typescript.cjs');
const { default: runCircus } = require('jest-circus/runner');
const { withoutModuleMocks } = require('./module-mocks.cjs');

/** What Jest sends to a worker that is to end. */
const END_MESSAGE = 2;

/** A worker ends by itself once nothing is open any more, so the application that its specs share is closed then. */
function closeAtEnd(message) {
  if (message?.[0] !== END_MESSAGE) return;
  process.off('message', closeAtEnd);
  void require('../shared-app.ts').closeSharedTestApp();
}
process.on('message', closeAtEnd);

/** Loads a module anew and forgets it: the next `require` of the path loads it once more. */
function requireFresh(path) {
  delete require.cache[path];
  try {
    return require(path);
  } finally {
    delete require.cache[path];
    module.children.length = 0;
  }
}

module.exports = async function runSpec(
  globalConfig,
  projectConfig,
  environment,
  runtime,
  specPath,
  ...rest
) {
  const nativeRuntime = Object.create(runtime, {
    // The state of the tests: their blocks, hooks and results.
    requireInternalModule: { value: requireFresh },
    requireModule: {
      value: (path) => {
        globalThis.jest = withoutModuleMocks(runtime.requireModuleOrMock(specPath, '@jest/globals').jest);
        return requireFresh(path);
      },
    },
  });
  return runCircus(globalConfig, projectConfig, environment, nativeRuntime, specPath, ...rest);
};
