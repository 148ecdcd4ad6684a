// A department's queue with waiting customers, and the tokens of their sockets.
import { createRequire } from 'node:module';
import { JwtService } from '@nestjs/jwt';

const require = createRequire(import.meta.url);
const { TokenKeys } = require('../../dist/src/platform/tokens/token-keys.js');
const { TokensService } = require('../../dist/src/platform/tokens/tokens.service.js');

const JWT_SECRET = 'a secret of the benchmarks with enough characters';
const TOKEN_SECONDS = 3600;

/** Variables of a service with thousands of customers who wait without polling, and whose requests are not limited. */
export const QUEUE_SETTINGS = {
  JWT_SECRET,
  PUBLIC_RATE_LIMIT: '100000000',
  SOCKET_RATE_LIMIT: '100000',
  QUEUE_ABSENCE_SECONDS: '3600',
};

/** Signs and verifies tokens as the service does. */
export function tokensService() {
  const keys = new TokenKeys({ jwtSecrets: [JWT_SECRET] });
  const jwt = new JwtService({ secretOrKeyProvider: () => keys.signing });
  return new TokensService(jwt, keys);
}

/**
 * Inserts customers at the end of the queue of the link's department, as if they had joined.
 * @param client of pg
 * @returns their calls in queue order, each with its `id` and its `token`
 */
export async function insertWaiting(client, link, count) {
  const { rows } = await client.query(
    `INSERT INTO calls (tenant_id, status, department_id, department_name, access_link_id, customer_name,
       estimated_wait_time, wait_deadline, absent_since, absence_deadline, inserted_at, updated_at)
     SELECT l.tenant_id, 'queued', l.department_id, l.department_name, l.id, 'Customer ' || n, 180,
       now() + interval '1 hour', now(), now() + interval '1 hour', now(), now()
     FROM access_links l, generate_series(1, $2::int) AS n WHERE l.token = $1
     RETURNING id, tenant_id, queue_number`,
    [link, count],
  );
  await client.query('VACUUM ANALYZE calls');
  const tokens = tokensService();
  return rows
    .toSorted((one, other) => Number(one.queue_number) - Number(other.queue_number))
    .map(({ id, tenant_id }) => ({
      id,
      token: tokens.sign('customer', { sub: id, tid: tenant_id }, TOKEN_SECONDS),
    }));
}
