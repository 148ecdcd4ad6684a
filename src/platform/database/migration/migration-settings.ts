/** How long a migration waits for a lock. Everything that needs the same table waits behind it for as long. */
const LOCK_TIMEOUT_MS = 3000;
const OPTIONS = '-c statement_timeout=0 -c idle_in_transaction_session_timeout=0 -c timezone=UTC';

/**
 * The URL and the startup options of the sessions that migrate. They have the rights of the login and no limit of time,
 * also where the login has one. Options in the URL are moved in front of these, which therefore take precedence.
 * @param lockTimeoutMs 0 for no limit
 */
export function migrationSettings(
  databaseUrl: string,
  lockTimeoutMs = LOCK_TIMEOUT_MS,
): { url: string; options: string } {
  const url = new URL(databaseUrl);
  const own = url.searchParams.get('options') ?? '';
  url.searchParams.delete('options');
  return { url: url.toString(), options: `${own} ${OPTIONS} -c lock_timeout=${lockTimeoutMs}`.trim() };
}
