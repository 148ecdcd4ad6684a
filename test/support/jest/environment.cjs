const { ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');
const { mapStackTraces } = require('./stack-traces.cjs');

/** Properties in which Jest stores the settings of a spec file: the test timeout, retries and event listeners. */
const JEST_STATE = ['TEST_TIMEOUT_SYMBOL', 'RETRY_TIMES', 'EVENT_HANDLERS'].map((name) => Symbol.for(name));

/**
 * Runs all spec files of a worker in the worker's global scope, so that they share its modules. Changes of a spec file to
 * `process` and existing globals are reverted after it; globals that a module adds stay, because the module does.
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
    // Jest replaces functions of `process`, because it expects a copy of it.
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

  /** Jest needs no context, because it compiles nothing: see runner.cjs. */
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

/** Restores the former descriptors of an object's properties. Properties that were added since stay. */
function restoreProperties(object, descriptors) {
  for (const name of Object.keys(descriptors)) {
    const { value, configurable, get } = descriptors[name];
    const current = Object.getOwnPropertyDescriptor(object, name);
    if (configurable && (current?.value !== value || current?.get !== get))
      Object.defineProperty(object, name, descriptors[name]);
  }
}
