/**
 * Runs a spec file with jest-circus, as Jest does, but loads it and its imports with Node's `require`. A module is
 * therefore loaded once per worker instead of once per spec file, and Jest neither compiles nor sandboxes modules.
 */
require('./typescript.cjs');
const { default: runCircus } = require('jest-circus/runner');
const { withoutModuleMocks } = require('./module-mocks.cjs');

/** The type of the message by which Jest ends a worker. */
const END_MESSAGE = 2;

/**
 * Ends the worker as soon as Jest tells it to. The shared application is still running and would keep the process alive;
 * closing it can take longer than the 500 ms after which Jest kills a worker with a warning. The database server of the
 * run and its temporary files are removed next.
 */
function exitAtEnd(message) {
  if (message?.[0] === END_MESSAGE) process.exit();
}
process.on('message', exitAtEnd);

/** Loads a module without caching it: the next `require` of the path loads it again. */
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
    // Modules with the state of the tests: blocks, hooks and results.
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
