// Access links, each of a department of its own.

/** @param client of pg @returns the tokens of `count` links of the tenant */
export async function insertLinks(client, tenantId, count) {
  const { rows } = await client.query(
    `WITH department AS (
       INSERT INTO departments (tenant_id, name, identifier, max_queue_size)
       SELECT $1, 'Queue ' || n, 'queue-' || n, 100000 FROM generate_series(1, $2::int) AS n RETURNING id, identifier)
     INSERT INTO access_links (tenant_id, token, label, department_id, department_name)
     SELECT $1, $1 || '-' || identifier, 'Bench', id, 'Queue' FROM department RETURNING token`,
    [tenantId, count],
  );
  return rows.map(({ token }) => token);
}
