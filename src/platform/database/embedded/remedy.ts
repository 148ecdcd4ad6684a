/** What to do on a machine that cannot run the embedded server; the end of every such error message. */
export const REMEDY = 'set DATABASE_URL to a PostgreSQL 15 or newer';
