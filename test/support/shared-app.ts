import { startTestApp, type TestApp } from './test-app';

let running: Promise<TestApp> | undefined;

/** Fake timers are refused while it is true: jest/environment.cjs. */
const setRunning = (isRunning: boolean) =>
  Object.assign(process, { [Symbol.for('shared application')]: isRunning });

/**
 * The application that the specs of a worker share; the first spec starts it. It is for specs without special
 * configuration: each creates its own tenants, and `close` resets the clock for the next spec. Use `startTestApp` in a
 * spec that counts rows of all tenants, changes the schema, or stops the application or a background task of it.
 */
export async function sharedTestApp(): Promise<TestApp> {
  setRunning(true);
  running ??= startTestApp();
  const test = await running;
  return { ...test, isShared: true, close: async () => test.clock.reset() };
}

/** Stops the shared application at the end of a run without workers; workers just exit (runner.cjs). */
export async function closeSharedTestApp(): Promise<void> {
  const test = await running;
  running = undefined;
  await test?.close();
  setRunning(false);
}
