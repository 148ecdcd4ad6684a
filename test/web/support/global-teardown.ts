import stopDatabase from '../../support/global-teardown';
import { expectLooksAtCustomersPage } from './browser/looked-at';
import { expectPictures } from './browser/page-pictures';
import { stopSharedServers } from './shared-servers';
import { isWholeRun } from './whole-run';

export default async function globalTeardown(...configs: Parameters<typeof isWholeRun>): Promise<void> {
  await stopSharedServers();
  await stopDatabase();
  if (!isWholeRun(...configs)) return;
  // Not imported: the pages have a compiler configuration of their own.
  const { PAGES } = require('../../../web/console/app/pages') as { PAGES: { id: string }[] };
  expectPictures(PAGES.map(({ id }) => id));
  expectLooksAtCustomersPage();
}
