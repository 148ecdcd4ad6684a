/** What anybody can do whose machine cannot run the embedded server; ends every such error message. */
export const REMEDY = 'set DATABASE_URL to a PostgreSQL 15 or newer';
