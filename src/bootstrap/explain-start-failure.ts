import { ConfigError } from '../platform/config/config';
import { SchemaBehindError } from '../operator/migration/schema-state';

type Failure = NodeJS.ErrnoException & { port?: number; errors?: Error[] };

/** The message for a failed start: a sentence for causes that the operator can fix, the stack for all others. */
export function explainStartFailure(error: unknown): string {
  const { code, message, port, errors } = error as Failure;
  if (code === 'EADDRINUSE') {
    return `Port ${port} is in use by another program, perhaps another instance of this service. Stop it, or set PORT.`;
  }
  if (code === 'EACCES' && port)
    return `Port ${port} may not be used by this user. Set PORT to 1024 or above.`;
  if (code === 'ECONNREFUSED') {
    // When several addresses of the host were tried, the message is empty and the failures are in a list.
    const reason = message || (errors ?? []).map((each) => each.message).join(', ');
    return `The database does not answer: ${reason}. Check DATABASE_URL.`;
  }
  const isExpected =
    error instanceof Error &&
    (error.name === 'Error' || error instanceof ConfigError || error instanceof SchemaBehindError);
  return isExpected ? `Start failed: ${message}` : ((error as Error).stack ?? String(error));
}
