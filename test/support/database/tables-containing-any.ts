import { escapeIdentifier } from 'pg';
import type { TestApp } from '../test-app';

/** Names of the tables of all schemas that contain one of these texts in any column. */
export async function tablesContainingAny({ db }: TestApp, texts: string[]): Promise<string[]> {
  const patterns = texts.map((text) => `%${text.replace(/[\\%_]/g, '\\$&')}%`);
  const { rows: tables } = await db.query<{ schema: string; name: string }>(
    `SELECT schemaname AS schema, tablename AS name FROM pg_tables
     WHERE schemaname NOT IN ('pg_catalog', 'information_schema') ORDER BY 1, 2`,
  );
  const found: string[] = [];
  for (const { schema, name } of tables) {
    const { rows } = await db.query(
      `SELECT FROM ${escapeIdentifier(schema)}.${escapeIdentifier(name)} AS t
       WHERE to_jsonb(t)::text ILIKE ANY ($1) LIMIT 1`,
      [patterns],
    );
    if (rows.length > 0) found.push(schema === 'public' ? name : `${schema}.${name}`);
  }
  return found;
}
