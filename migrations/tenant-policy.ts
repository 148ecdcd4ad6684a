/**
 * The SQL condition that a row belongs to the scope of the transaction (Database): one tenant, or all tenants. The
 * sub-selects are evaluated once per statement instead of once per row.
 */
export function tenantScope(column: string): string {
  return `(${column} = (SELECT NULLIF(current_setting('app.tenant_id', true), '')::uuid)
    OR (SELECT current_setting('app.system', true) = 'on'))`;
}

/**
 * The SQL that restricts each row of a table to its tenant. With neither app.tenant_id nor app.system set, every row
 * is invisible and every write is rejected. FORCE applies the policy to the table's owner as well.
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
