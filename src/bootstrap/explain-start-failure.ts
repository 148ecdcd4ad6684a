import { ConfigError } from '../platform/config/config';

type Failure = NodeJS.ErrnoException & { port?: number; errors?: Error[] };

/** What somebody whose start failed has to know: a sentence for what they can mend, the stack for the rest. */
export function explainStartFailure(error: unknown): string {
  const { code, message, port, errors } = error as Failure;
  if (code === 'EADDRINUSE') {
    return `Port ${port} is in use by another program, perhaps another start of this service. Stop it, or set PORT.`;
  }
  if (code === 'EACCES' && port)
    return `Port ${port} may not be used by this user. Set PORT to 1024 or above.`;
  if (code === 'ECONNREFUSED') {
    // One address of the host after the other was tried: the failures are in a list, the message is empty.
    const reason = message || (errors ?? []).map((each) => each.message).join(', ');
    return `The database does not answer: ${reason}. Check DATABASE_URL.`;
  }
  const isForPeople = error instanceof Error && (error.name === 'Error' || error instanceof ConfigError);
  return isForPeople ? `Start failed: ${message}` : ((error as Error).stack ?? String(error));
}
