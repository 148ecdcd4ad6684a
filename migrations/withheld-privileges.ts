/** Privileges on a table that the application role does not get. */
export interface WithheldPrivileges {
  table: string;
  privileges: ('INSERT' | 'UPDATE' | 'DELETE' | 'TRUNCATE')[];
  /** Whether they are withheld only from a role that does not own the table. */
  isOwnerExempt?: boolean;
}

/** What the running service must not do with a table, even where its code has a mistake. */
export const WITHHELD_PRIVILEGES: WithheldPrivileges[] = [
  { table: 'domain_events', privileges: ['UPDATE'] },
  { table: 'audit_log', privileges: ['UPDATE', 'DELETE', 'TRUNCATE'] },
  // Deleting a tenant deletes its audit log, too.
  { table: 'tenants', privileges: ['DELETE', 'TRUNCATE'] },
  // pg-boss's list of indexes to build. An instance would take one over, and fail because it does not own the table.
  { table: 'pgboss.bam', privileges: ['INSERT', 'UPDATE', 'DELETE'], isOwnerExempt: true },
];
