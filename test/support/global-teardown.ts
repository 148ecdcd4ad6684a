import { closeSharedTestApp } from './shared-app';

/** Stops the shared application, the PostgreSQL server and removes the temporary folder. */
export default async function globalTeardown(): Promise<void> {
  // Without workers the specs have run in this process.
  await closeSharedTestApp();
  await globalThis.testPostgres?.stop();
  await globalThis.testFolder?.remove();
}
