const { ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');
const { mapStackTraces } = require('./stack-traces.cjs');

/** Where Jest keeps what one spec file sets: the timeout of its tests, and its own listeners to their progress. */
const JEST_STATE = ['TEST_TIMEOUT_SYMBOL', 'RETRY_TIMES', 'EVENT_HANDLERS'].map((name) => Symbol.for(name));

/**
 * Runs all spec files of a worker in the worker's own global scope, so that they share its modules. What a spec file
 * changes in `process` or in existing globals is restored after it; globals that a module adds stay, as the module does.
 */
module.exports = class SharedEnvironment {
  constructor({ projectConfig }) {
    this.before = snapshot();
    this.global = globalThis;
    this.moduleMocker = new ModuleMocker(globalThis);
    this.fakeTimers = null;
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  async setup() {
    // Jest replaces functions of the `process` that it takes for a copy.
    restoreProperties(process, this.before.process);
    Error.stackTraceLimit = 50;
    mapStackTraces();
  }

  async teardown() {
    this.fakeTimersModern.dispose();
    restore(this.before);
    for (const symbol of JEST_STATE) delete globalThis[symbol];
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  /** Jest compiles nothing, thus needs no context of its own: see runner.cjs. */
  getVmContext() {
    return null;
  }
};

function snapshot() {
  return {
    globals: Object.getOwnPropertyDescriptors(globalThis),
    process: Object.getOwnPropertyDescriptors(process),
    env: { ...process.env },
    directory: process.cwd(),
  };
}

function restore({ globals, process: properties, env, directory }) {
  restoreProperties(globalThis, globals);
  restoreProperties(process, properties);
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  Object.assign(process.env, env);
  process.chdir(directory);
}

/** Gives the properties of an object their former descriptors; properties added since stay. */
function restoreProperties(object, descriptors) {
  for (const name of Object.keys(descriptors)) {
    const { value, configurable, get } = descriptors[name];
    const now = Object.getOwnPropertyDescriptor(object, name);
    if (configurable && (now?.value !== value || now?.get !== get))
      Object.defineProperty(object, name, descriptors[name]);
  }
}
