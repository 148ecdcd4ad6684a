import { startTestApp, type TestApp } from './test-app';

let running: Promise<TestApp> | undefined;

/**
 * The application that the specs of a worker share, started by the first of them. It is for specs that need no
 * configuration of their own: each works in tenants of its own, and `close` resets the clock for the next one. A spec
 * that counts rows of all tenants, changes the schema or stops the application starts its own with `startTestApp`.
 */
export async function sharedTestApp(): Promise<TestApp> {
  running ??= startTestApp();
  const test = await running;
  return { ...test, close: async () => test.clock.reset() };
}

/** Called when the worker, or a run without workers, has finished. */
export async function closeSharedTestApp(): Promise<void> {
  const test = await running;
  running = undefined;
  await test?.close();
}
