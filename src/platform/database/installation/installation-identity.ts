import type { Database } from '../database';

/** What tells a database from its copies. A value is null where the server does not show it to the service's role. */
export interface InstallationIdentity {
  /** Of the cluster: initdb and pg_upgrade make a new one. */
  system_identifier: string | null;
  /** A dump that is restored into another database gives it another one. */
  database_oid: string | null;
  /** Of the table `installation`: a dump that is restored into the same database creates it again. */
  relation_oid: string | null;
  /** Of the write-ahead log: it grows by one with each point-in-time recovery and each failover. */
  timeline: string | null;
}

export const IDENTITY_COLUMNS = ['system_identifier', 'database_oid', 'relation_oid', 'timeline'] as const;

/** The timeline as the first 8 hexadecimal digits of the names of WAL files. */
export const CURRENT_TIMELINE_SQL = `('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int::text`;

const VALUES: Record<keyof InstallationIdentity, string> = {
  system_identifier: 'SELECT system_identifier::text AS value FROM pg_control_system()',
  database_oid: 'SELECT oid::text AS value FROM pg_database WHERE datname = current_database()',
  relation_oid: `SELECT 'public.installation'::regclass::oid::text AS value`,
  timeline: `SELECT ${CURRENT_TIMELINE_SQL} AS value`,
};

/** insufficient_privilege, feature_not_supported, undefined_function: some providers withhold these functions. */
const WITHHELD = new Set<unknown>(['42501', '0A000', '42883']);

/** Reads the identity of the database that is connected. */
export async function readIdentity(database: Database): Promise<InstallationIdentity> {
  const [system_identifier, database_oid, relation_oid, timeline] = await Promise.all(
    IDENTITY_COLUMNS.map((column) => readValue(database, VALUES[column])),
  );
  return {
    system_identifier: system_identifier ?? null,
    database_oid: database_oid ?? null,
    relation_oid: relation_oid ?? null,
    timeline: timeline ?? null,
  };
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
export function differences(
  recorded: InstallationIdentity,
  current: InstallationIdentity,
): (keyof InstallationIdentity)[] {
  return IDENTITY_COLUMNS.filter((column) => {
    const [before, now] = [recorded[column], current[column]];
    return before !== null && now !== null && before !== now;
  });
}
