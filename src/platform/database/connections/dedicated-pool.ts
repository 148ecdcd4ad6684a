import { Logger } from '@nestjs/common';
import { Pool } from 'pg';
import type { Config } from '../../config/config';
import { sessionSettings } from './session-settings';
import { KEEP_ALIVE } from './time-limits';

const CONNECT_TIMEOUT_MS = 5000;
const QUERY_TIMEOUT_MS = 3000;

/**
 * A connection beside the shared pool, or several, for statements that must not wait for requests. A connection
 * that breaks silently is replaced after `queryTimeoutMs`.
 * @param purpose appears in the log and as part of the application name
 * @param queryTimeoutMs how long a statement may take; 0 for no limit
 */
export function createDedicatedPool(
  { databaseUrl = '', databaseRole }: Pick<Config, 'databaseUrl' | 'databaseRole'>,
  purpose: string,
  queryTimeoutMs = QUERY_TIMEOUT_MS,
  max = 1,
): Pool {
  const { url, options } = sessionSettings(databaseUrl, databaseRole);
  const pool = new Pool({
    connectionString: url,
    options,
    max,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: queryTimeoutMs,
    ...KEEP_ALIVE,
    application_name: `video-call-queue ${purpose}`,
  });
  const logger = new Logger('DedicatedPool');
  pool.on('error', (error) => logger.warn(`The connection for the ${purpose} was lost: ${error.message}`));
  return pool;
}
