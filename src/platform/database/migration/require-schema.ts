import { Client } from 'pg';
import { SchemaBehindError } from './schema-behind-error';
import { isUsable, readSchemaState, type SchemaState } from './schema-state';

/**
 * Checks that the database has everything that this version needs, and changes nothing.
 * @param options.role the value of DATABASE_ROLE
 * @returns the role that the service's queries run as
 * @throws SchemaBehindError
 */
export async function requireSchema(url: string, options: { role?: string } = {}): Promise<string> {
  const state = await checkSchema(url, options);
  if (state.role === null || !isUsable(state)) throw new SchemaBehindError(state);
  return state.role;
}

/** Compares the database with what this version needs. */
export async function checkSchema(url: string, { role }: { role?: string } = {}): Promise<SchemaState> {
  const client = new Client({ connectionString: url, application_name: 'video-call-queue schema check' });
  await client.connect();
  try {
    return await readSchemaState(client, role);
  } finally {
    await client.end();
  }
}
