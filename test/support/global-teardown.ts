import { rmSync } from 'node:fs';
import { closeSharedTestApp } from './shared-app';

export default async function globalTeardown(): Promise<void> {
  // Without workers the specs ran in this process.
  await closeSharedTestApp();
  await globalThis.testPostgres?.stop();
  if (process.env.TEST_DATA_DIR) rmSync(process.env.TEST_DATA_DIR, { recursive: true, force: true });
}
