import { randomBytes } from 'node:crypto';
import { Client, Pool } from 'pg';

const TEMPLATE = 'template_service';

/** The superuser's URL of a database on the PostgreSQL server of the tests. */
export function databaseUrl(database: string): string {
  const url = new URL(process.env.TEST_DATABASE_URL ?? '');
  url.pathname = `/${database}`;
  return url.toString();
}

/** Runs statements as the superuser, who bypasses row-level security. */
export async function asSuperuser<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** A superuser's connection, or several of them. */
export type TestConnection = Pick<Client, 'query' | 'end'>;

/** Several superuser's connections, for statements that run at the same time and need no common session. */
export function connectionPool(url: string): TestConnection {
  const pool = new Pool({ connectionString: url });
  // Dropping the database at the end closes the connections, which is not an error.
  pool.on('error', () => {});
  return pool;
}

/** Creates a database for one spec as a copy of the prepared template. */
export async function cloneDatabase(): Promise<{ url: string; drop: () => Promise<void> }> {
  const name = `spec_${randomBytes(6).toString('hex')}`;
  const admin = databaseUrl('postgres');
  await asSuperuser(admin, (client) =>
    client.query(`CREATE DATABASE ${name} TEMPLATE ${TEMPLATE} STRATEGY FILE_COPY`),
  );
  const drop = async () => {
    await asSuperuser(admin, (client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
  };
  return { url: databaseUrl(name), drop };
}
