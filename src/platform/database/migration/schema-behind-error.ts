import { formatMissing, type SchemaState } from './schema-state';

/** How many missing things the message names; `migrate --check` lists all. */
const MAX_NAMED = 3;

/** The database lacks something that this version needs, and the start may not migrate it. */
export class SchemaBehindError extends Error {
  constructor(state: SchemaState) {
    const missing = formatMissing(state);
    const named = missing.slice(0, MAX_NAMED).join('; ');
    const more = missing.length > MAX_NAMED ? `; and ${missing.length - MAX_NAMED} more` : '';
    super(
      `The database is behind this version: ${named}${more}. ` +
        'Run `npm run cli -- migrate` (in the image: `node dist/src/cli.js migrate`), or start with MIGRATE_ON_START=true.',
    );
    this.name = 'SchemaBehindError';
  }
}
