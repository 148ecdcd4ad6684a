/**
 * The condition that a row belongs to the scope that is set (Database): one tenant's, or every tenant's. The
 * sub-selects are evaluated once a statement instead of once a row.
 */
export function tenantScope(column: string): string {
  return `(${column} = (SELECT NULLIF(current_setting('app.tenant_id', true), '')::uuid)
    OR (SELECT current_setting('app.system', true) = 'on'))`;
}

/**
 * SQL that closes a table to everything but its own tenant. With neither app.tenant_id nor app.system
 * set, every row is invisible and every write is refused. FORCE makes it hold for the table's owner too.
 */
export function tenantPolicy(table: string, column = 'tenant_id'): string {
  const scope = tenantScope(column);
  return `
    ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY;
    ALTER TABLE ${table} FORCE ROW LEVEL SECURITY;
    CREATE POLICY ${table}_tenant_scope ON ${table}
      USING ${scope} WITH CHECK ${scope};
  `;
}
