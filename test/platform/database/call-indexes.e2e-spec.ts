import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sharedTestApp } from '../../support/shared-app';

/** The rows of the table of indexes in docs/scaling.md begin with the name of an index. */
function documentedIndexes(): string[] {
  const file = readFileSync(join(__dirname, '../../../docs/scaling.md'), 'utf8');
  return [...file.matchAll(/^\| `(calls_\w+)`/gm)].map(([, name]) => name ?? '');
}

describe('the indexes of calls', () => {
  it('are those that docs/scaling.md justifies: each costs a write for most changes of a call', async () => {
    const test = await sharedTestApp();
    const { rows } = await test.db.query(`SELECT indexname FROM pg_indexes WHERE tablename = 'calls'`);
    await test.close();
    const names = rows.map(({ indexname }) => String(indexname));
    expect(documentedIndexes().sort()).toEqual(names.sort());
  });
});
