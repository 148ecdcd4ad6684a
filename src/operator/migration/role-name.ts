import { createHash } from 'node:crypto';

/**
 * The role of former releases, which all databases of a server shared. It keeps its rights until the next release, because
 * instances of the former one have it, and an operator may go back to them.
 */
export const FORMER_ROLE = 'video_queue_app';

const SUFFIX = '_service';
/** PostgreSQL's NAMEDATALEN, without the terminating zero. */
const MAX_NAME_BYTES = 63;
const DIGEST_LENGTH = 8;

/**
 * The role as which the service works in a database unless DATABASE_ROLE is set. Roles belong to the whole server, so each
 * database has one of its own: `calls` has `calls_service`. A name that would be too long is cut and gets a digest.
 */
export function defaultRole(database: string): string {
  if (Buffer.byteLength(database) + SUFFIX.length <= MAX_NAME_BYTES) return `${database}${SUFFIX}`;
  const digest = createHash('sha256').update(database).digest('hex').slice(0, DIGEST_LENGTH);
  const ending = `_${digest}${SUFFIX}`;
  return `${cut(database, MAX_NAME_BYTES - ending.length)}${ending}`;
}

/** The longest beginning of a text that has at most so many bytes. */
function cut(text: string, maxBytes: number): string {
  let result = '';
  for (const character of text) {
    if (Buffer.byteLength(result + character) > maxBytes) break;
    result += character;
  }
  return result;
}
