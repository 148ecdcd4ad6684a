import { tmpdir } from 'node:os';
import { join } from 'node:path';
import startDatabase from '../../support/global-setup';
import { removePictures } from './browser/page-pictures';
import { startSharedServers } from './shared-servers';
import { isWholeRun } from './whole-run';

export default async function globalSetup(...configs: Parameters<typeof isWholeRun>): Promise<void> {
  // TMPDIR of the run is removed at its end; what helps to understand a failure stays.
  process.env.WEB_TEST_FAILURES = join(tmpdir(), 'video-queue-web-failure-');
  await startDatabase();
  if (isWholeRun(...configs)) removePictures();
  await startSharedServers();
}
