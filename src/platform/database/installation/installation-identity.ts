import type { Database } from '../database';

/** The timeline as the first 8 hexadecimal digits of the names of WAL files. */
export const CURRENT_TIMELINE_SQL = `('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int::text`;

/** What tells a database from its copies, and how it is read. */
const VALUES = {
  /** Of the cluster: initdb and pg_upgrade make a new one. */
  system_identifier: 'SELECT system_identifier::text AS value FROM pg_control_system()',
  /** A dump that is restored into another database gives it another one. */
  database_oid: 'SELECT oid::text AS value FROM pg_database WHERE datname = current_database()',
  /** Of the table `installation`: a dump that is restored into the same database creates it again. */
  relation_oid: `SELECT 'public.installation'::regclass::oid::text AS value`,
  /** Of the write-ahead log: it grows by one with each point-in-time recovery and each failover. */
  timeline: `SELECT ${CURRENT_TIMELINE_SQL} AS value`,
};

type IdentityColumn = keyof typeof VALUES;

/** A value is null where the server does not show it to the service's role. */
export type InstallationIdentity = Record<IdentityColumn, string | null>;

export const IDENTITY_COLUMNS = Object.keys(VALUES) as IdentityColumn[];

/** insufficient_privilege, feature_not_supported, undefined_function: some providers withhold these functions. */
const WITHHELD = new Set<unknown>(['42501', '0A000', '42883']);

/** Reads the identity of the database that is connected. */
export async function readIdentity(database: Database): Promise<InstallationIdentity> {
  const values = IDENTITY_COLUMNS.map(async (column) => [column, await readValue(database, VALUES[column])]);
  return Object.fromEntries(await Promise.all(values)) as InstallationIdentity;
}

async function readValue(database: Database, text: string): Promise<string | null> {
  try {
    const [rows] = await database.readSystem<[{ value: string | null }]>([{ text }]);
    return rows[0]?.value ?? null;
  } catch (error) {
    if (WITHHELD.has((error as { code?: unknown }).code)) return null;
    throw error;
  }
}

/** @returns the values that are known on both sides and differ */
export function differences(recorded: InstallationIdentity, current: InstallationIdentity): IdentityColumn[] {
  return IDENTITY_COLUMNS.filter((column) => {
    const [before, now] = [recorded[column], current[column]];
    return before !== null && now !== null && before !== now;
  });
}
