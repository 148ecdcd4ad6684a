import { setTimeout as sleep } from 'node:timers/promises';

/** An access token is valid for 15 minutes. */
const RENEW_AFTER_MS = 10 * 60_000;
/** After a renewal that failed. */
const RETRY_MS = 30_000;

/** How long it takes until the token of an account has to be renewed; 0 if it should be by now. */
const msUntilRenewal = ({ renewedAt }) => Math.max(0, renewedAt + RENEW_AFTER_MS - performance.now());

/**
 * Renews a login that is about to expire, before a socket connects with it: the preparation may have taken longer than a
 * token is valid. An account that has only a token cannot be renewed.
 * @param account of Company @throws RequestError
 */
export async function ensureFreshLogin(company, account) {
  if (account.refreshToken && msUntilRenewal(account) === 0) await company.refresh(account);
}

/**
 * Renews the login of an account for its socket and its requests, as pages do.
 * @param account of Company; one that has only a token cannot be renewed
 * @returns a function that ends it
 */
export function keepLoggedIn(run, account, peer) {
  const end = new AbortController();
  const { signal } = end;
  const renew = async () => {
    await run.company.refresh(account);
    await peer.renewToken(account.token);
  };
  const keep = async () => {
    for (let waitMs = msUntilRenewal(account); ; waitMs = Math.max(RETRY_MS, msUntilRenewal(account))) {
      await sleep(waitMs, undefined, { signal }).catch(() => {});
      if (signal.aborted) return;
      await run.tryUnmeasured('refresh', renew);
    }
  };
  if (account.refreshToken) void keep();
  return () => end.abort();
}
