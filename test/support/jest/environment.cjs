const { ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');
const { mapStackTraces } = require('./stack-traces.cjs');

/** Set in `process` while an application is running that the later specs of the worker share: shared-app.ts. */
const SHARED_APPLICATION = Symbol.for('shared application');

/**
 * Refuses to replace the timers of an application that goes on after the spec file: its background tasks would be waiting for the
 * fake clock when that is removed, and never run again.
 */
class FakeTimers extends ModernFakeTimers {
  useFakeTimers(config) {
    if (process[SHARED_APPLICATION])
      throw new Error(
        'Fake timers would stop the shared application. Use them in a unit spec, or its clock.',
      );
    super.useFakeTimers(config);
  }
}

/** Descriptions of the symbols under which jest-circus stores the state of a spec file in the global scope. */
const JEST_STATE = [
  'JEST_STATE_SYMBOL',
  'EVENT_HANDLERS',
  'TEST_TIMEOUT_SYMBOL',
  'RETRY_TIMES',
  'RETRY_TIMES_SETTER',
  'RETRY_IMMEDIATELY',
  'WAIT_BEFORE_RETRY',
  'LOG_ERRORS_BEFORE_RETRY',
];

/**
 * Runs all spec files of a worker in the worker's global scope, so that they share its modules. Changes of a spec file to
 * `process` and existing globals are reverted after it; globals that a module adds stay, because the module does.
 */
module.exports = class SharedEnvironment {
  constructor({ projectConfig }) {
    this.before = snapshot();
    this.jestGlobals = [];
    this.global = globalThis;
    this.moduleMocker = new ModuleMocker(globalThis);
    this.fakeTimers = null;
    this.fakeTimersModern = new FakeTimers({ config: projectConfig, global: globalThis });
  }

  async setup() {
    // Jest replaces it by a function that loads modules into the registry of the spec file.
    process.getBuiltinModule = this.before.process.getBuiltinModule.value;
    Error.stackTraceLimit = 50;
    mapStackTraces();
  }

  /**
   * Called by jest-circus, first with the functions that it makes global: `describe`, `expect` and the others.
   * @returns {void | Promise<void>} jest-circus waits for a promise
   */
  handleTestEvent({ name, runtimeGlobals }) {
    if (name === 'setup') this.jestGlobals = ['jest', ...Object.keys(runtimeGlobals)];
  }

  async teardown() {
    this.fakeTimersModern.dispose();
    restore(this.before);
    // References from the global scope would keep everything that the spec file made in memory.
    for (const name of this.jestGlobals) delete globalThis[name];
    for (const symbol of Object.getOwnPropertySymbols(globalThis)) {
      if (JEST_STATE.includes(symbol.description)) delete globalThis[symbol];
    }
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
