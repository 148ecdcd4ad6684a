import { startTestApp, type TestApp } from './test-app';

let running: Promise<TestApp> | undefined;
let users = 0;

/**
 * The application that the specs of a test file share; the first spec starts it. It is for specs without special
 * configuration: each creates its own tenants, and `close` resets the clock for the next spec. Use `startTestApp` in a
 * spec that counts rows of all tenants, changes the schema, or stops the application or a background task of it.
 */
export async function sharedTestApp(): Promise<TestApp> {
  users += 1;
  running ??= startTestApp();
  const test = await running;
  const close = async () => {
    test.clock.reset();
    await release();
  };
  return { ...test, isShared: true, close };
}

/** Keeps the application running between the specs of the test file that calls it. */
export function keepSharedApp(): void {
  users += 1;
  afterAll(async () => {
    users = 1;
    await release();
  });
}

async function release(): Promise<void> {
  users -= 1;
  if (users > 0) return;
  const test = await running;
  running = undefined;
  await test?.close();
}
