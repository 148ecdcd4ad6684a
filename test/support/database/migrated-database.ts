import { asSuperuser, cloneDatabase } from './database';

/**
 * A database of its own for each test of the file, which may change its schema.
 * @returns its URL, and a function that runs statements as the superuser
 */
export function migratedDatabase() {
  let url: string;
  let drop: () => Promise<void>;

  beforeEach(async () => {
    ({ url, drop } = await cloneDatabase());
  });

  afterEach(() => drop());

  return {
    get url(): string {
      return url;
    },
    query: (sql: string, values?: unknown[]) =>
      asSuperuser(url, async (client) => (await client.query(sql, values)).rows),
  };
}
