/**
 * What every session of the service starts with, as PostgreSQL's command-line options: the unprivileged
 * role, and limits on how long a lost transaction may hold its locks.
 */
export function sessionOptions(name: string): string {
  // The server splits the options at blanks; a backslash keeps the next character.
  const role = name.replace(/[\\\s]/g, '\\$&');
  return `-c role=${role} -c timezone=UTC -c idle_in_transaction_session_timeout=30000 -c lock_timeout=10000`;
}
