const LIMITS = '-c timezone=UTC -c idle_in_transaction_session_timeout=30000 -c lock_timeout=10000';

/**
 * How the service's sessions connect: as the unprivileged role, in UTC, with limits on how long a lost
 * transaction may hold its locks. Options that DATABASE_URL brings along come first, so ours win; left in
 * the address they would replace ours, the role among them.
 */
export function sessionSettings(databaseUrl: string, role: string): { url: string; options: string } {
  const url = new URL(databaseUrl);
  const own = url.searchParams.get('options') ?? '';
  url.searchParams.delete('options');
  // The server splits the options at blanks; a backslash keeps the next character.
  const escapedRole = role.replace(/[\\\s]/g, '\\$&');
  return { url: url.toString(), options: `${own} -c role=${escapedRole} ${LIMITS}`.trim() };
}
