// Requests that prepare and tidy up: they wait where the target limits the rate, and renew the owner's login when it expires.
import { setTimeout as sleep } from 'node:timers/promises';
import { limitSentence } from './limits.mjs';

/** A target that is down is no reason to wait for ever. */
const MAX_UNAVAILABLE = 30;
const UNAVAILABLE = 'The target is not available (503). The request is repeated.';

export class PatientClient {
  /** A login: `{ token, refreshToken, renewedAt }`, the last of performance.now; of LOADTEST_TOKEN only the token. */
  owner = { token: '' };
  /** Ends the preparation. Undefined while things are removed, which goes on after an interruption. */
  signal;
  #send;
  #notice;
  /** The renewals in progress, by account. */
  #renewals = new Map();

  /** @param send of httpClient @param notice gets sentences about what delays */
  constructor(send, notice) {
    this.#send = send;
    this.#notice = notice;
  }

  /** Sends a request, as the owner where it needs a login. @throws RequestError */
  async send(method, path, body) {
    let isRenewed = false;
    for (let unavailableCount = 0; ;) {
      this.signal?.throwIfAborted();
      const token = path.startsWith('/api/v1/') ? this.owner.token : undefined;
      try {
        return await this.#send(method, path, { body, token });
      } catch (error) {
        const { status, code, retryAfter } = error;
        if (token && code === 'token_expired' && this.owner.refreshToken && !isRenewed) {
          // Another request may have renewed the login meanwhile.
          if (token === this.owner.token) await this.renew(this.owner);
          isRenewed = true;
          continue;
        }
        const limit = limitSentence(path, status, code, retryAfter);
        if (limit) this.#notice(limit);
        if (status !== 429 && (status !== 503 || ++unavailableCount > MAX_UNAVAILABLE)) throw error;
        if (status === 503) this.#notice(UNAVAILABLE);
        await sleep((retryAfter ?? 1) * 1000, undefined, { signal: this.signal });
        isRenewed = false;
      }
    }
  }

  /** @returns the login @throws RequestError */
  async logIn(credentials) {
    return loginOf(await this.send('POST', '/api/auth/login', credentials));
  }

  /** Renews a login. Callers at the same time share one request, because a refresh token can be used once. */
  async renew(account) {
    const renewal = this.#renewals.get(account) ?? this.#renew(account);
    this.#renewals.set(account, renewal);
    await renewal;
  }

  async #renew(account) {
    try {
      const body = { refresh_token: account.refreshToken };
      Object.assign(account, loginOf(await this.send('POST', '/api/auth/refresh', body)));
    } finally {
      this.#renewals.delete(account);
    }
  }
}

const loginOf = ({ access_token, refresh_token }) => ({
  token: access_token,
  refreshToken: refresh_token,
  renewedAt: performance.now(),
});
