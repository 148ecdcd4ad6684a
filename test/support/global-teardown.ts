import { closeSharedTestApp } from './shared-app';

export default async function globalTeardown(): Promise<void> {
  // Without workers the specs ran in this process.
  await closeSharedTestApp();
  await globalThis.testPostgres?.stop();
  await globalThis.testFolder?.remove();
}
