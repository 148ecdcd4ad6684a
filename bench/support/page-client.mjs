// Requests as the customer's page sends them: with its own code for failures and retries (web/shared/api), whose types Node strips.
import { randomUUID } from 'node:crypto';
import { registerHooks } from 'node:module';
import { setTimeout as pause } from 'node:timers/promises';

/** The page gives up waiting for an answer after this time, and sends the request again. */
const TIMEOUT_MS = 8000;

// The modules of the pages are imported without the ends of their names, as bundlers resolve them.
registerHooks({
  resolve(specifier, context, next) {
    const isOfPages = specifier.includes('/web/shared/') || context.parentURL?.includes('/web/shared/');
    if (!isOfPages) return next(specifier, context);
    const name = specifier.endsWith('.ts') ? specifier : `${specifier}.ts`;
    return { ...next(name, context), format: 'module-typescript' };
  },
});
const { retry } = await import('../../web/shared/api/retry.ts');
const { readError } = await import('../../web/shared/api/read-error.ts');

/**
 * Joins, and tries again until it is answered.
 * @param answers counts the status of each attempt
 * @returns the queue entry
 */
export async function joinAsPage(url, token, name, answers) {
  const key = randomUUID();
  const attempt = async () => {
    const response = await fetch(`${url}/api/v1/call/${token}/join`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify({ name }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const body = await response.json();
    count(answers, response.status);
    if (response.ok) return body.data;
    throw readError(body, response.status, response.headers);
  };
  return retry(attempt, {
    pause,
    onRetry: ({ problem }) => problem.status === 0 && count(answers, problem.code),
  });
}

function count(answers, answer) {
  answers[answer] = (answers[answer] ?? 0) + 1;
}
