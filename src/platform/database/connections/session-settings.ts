const OPTIONS = '-c timezone=UTC -c idle_in_transaction_session_timeout=30000 -c lock_timeout=10000';

/**
 * The URL and the startup options of the service's sessions: the application role, UTC, and limits on how long an
 * abandoned transaction holds its locks. Options in DATABASE_URL are moved in front of these, which therefore take
 * precedence; left in the URL they would replace them, including the role.
 */
export function sessionSettings(databaseUrl: string, role: string): { url: string; options: string } {
  const url = new URL(databaseUrl);
  const own = url.searchParams.get('options') ?? '';
  url.searchParams.delete('options');
  // The server splits the options at spaces; a backslash escapes the next character.
  const escapedRole = role.replace(/[\\\s]/g, '\\$&');
  return { url: url.toString(), options: `${own} -c role=${escapedRole} ${OPTIONS}`.trim() };
}
