/**
 * Inserts supervisor1@<slug>.example and so on, with the password of the tenant's owner.
 * @param db a connection
 */
export function insertSupervisors(db, tenantId, slug, count) {
  return db.query(
    `INSERT INTO users (tenant_id, name, email, role, password_hash)
     SELECT tenant_id, 'Supervisor ' || n, 'supervisor' || n || '@' || $2 || '.example', 'supervisor', password_hash
     FROM users, generate_series(1, $3::int) n WHERE tenant_id = $1 AND role = 'owner'`,
    [tenantId, slug, count],
  );
}
