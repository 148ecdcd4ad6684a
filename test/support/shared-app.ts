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
  let isOpen = true;
  const close = async () => {
    test.clock.reset();
    if (isOpen) await release();
    isOpen = false;
  };
  return { ...test, isShared: true, close };
}

/** Keeps the application running between the specs of the test file that calls it. */
export function keepSharedApp(): void {
  users += 1;
  afterAll(release);
}

/** @throws if a spec file has not closed what it got from sharedTestApp: the application would run on after the test file */
export function expectReleased(path: string): void {
  const left = users - 1;
  users = 1;
  if (left > 0) throw new Error(`${path} has not closed the shared application.`);
}

async function release(): Promise<void> {
  users -= 1;
  if (users > 0) return;
  const test = await running;
  running = undefined;
  await test?.close();
}
