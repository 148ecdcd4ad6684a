/** An access token is valid for 15 minutes. */
const REFRESH_INTERVAL_MS = 10 * 60_000;

/**
 * Renews the login of an account for its socket and its requests, as pages do.
 * @param account with `token` and `refreshToken`; an account that has only a token cannot be renewed
 * @returns a function that ends it
 */
export function keepLoggedIn(run, account, peer) {
  const renew = async () => {
    await run.company.refresh(account);
    await peer.renewToken(account.token);
  };
  const timer = setInterval(() => {
    if (account.refreshToken) void run.tryUnmeasured('refresh', renew);
  }, REFRESH_INTERVAL_MS);
  return () => clearInterval(timer);
}
