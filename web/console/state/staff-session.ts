import { signal } from '@preact/signals-core';
import { ApiError, createApi, unwrap } from '../../shared/api/client';
import { readError } from '../../shared/api/read-error';
import { spread } from '../../shared/socket-retry';
import { expiryOf, lifetimeOf, tokenStore, type StaffTokens, type StaffUser } from './token-store';

/** Renewed this long before it expires. */
const RENEW_BEFORE_MS = 60_000;
const RETRY_MS = 10_000;
/** With the retry, within the 30 s in which the service repeats an answer that was lost. */
const TIMEOUT_MS = 10_000;
/** A stored token seems to have expired if the clock of this computer is wrong. */
const MIN_RENEW_MS = 30_000;
export const ENROLMENT_REQUIRED = 'mfa_enrolment_required';

/** The login of this browser: survives reloads, and is shared by its tabs. */
export class StaffSession {
  readonly user = signal<StaffUser | null>(null);
  /** Whether the service has ended the login of `user`, who can go on after another one. */
  readonly hasExpired = signal(false);
  /** Whether the company requires a second factor that the user has not set up: the service refuses all else. */
  readonly mustEnrol = signal(false);
  readonly api;
  /** Set by the socket: an open connection needs the new token, too. */
  onRenewed: (token: string) => void = () => undefined;
  readonly publicApi;
  private tokens: StaffTokens | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** Requests that were refused at the same time share one renewal. */
  private renewal: Promise<boolean> | null = null;

  /** @param url the origin of the service; by default the page's */
  constructor(url?: string) {
    this.api = createApi({ url, token: () => this.accessToken, fetch: (request) => this.fetch(request) });
    this.publicApi = createApi({ url });
    const stored = tokenStore.read();
    if (stored) this.use(stored, expiryOf(stored.access_token) - Date.now());
    tokenStore.onChange((changed) => this.adopt(changed));
  }

  get accessToken(): string {
    return this.tokens?.access_token ?? '';
  }

  /** @returns the token for `verify` if the login needs a code */
  async logIn(credentials: { tenant: string; email: string; password: string }): Promise<string | null> {
    const answer = await unwrap(this.publicApi.POST('/api/auth/login', { body: credentials }));
    if ('mfa_token' in answer) return answer.mfa_token;
    this.keep(answer);
    return null;
  }

  async verify(mfaToken: string, code: string): Promise<void> {
    const answer: unknown = await unwrap(
      this.publicApi.POST('/api/auth/mfa/verify', { body: { mfa_token: mfaToken, code } }),
    );
    this.keep(answer as StaffTokens);
  }

  /** Ends the login here, and tries to end it at the service. */
  async logOut(): Promise<void> {
    const { tokens } = this;
    this.forget();
    if (!tokens) return;
    await this.publicApi
      .POST('/api/auth/logout', {
        body: { refresh_token: tokens.refresh_token },
        headers: { authorization: `Bearer ${tokens.access_token}` },
      })
      .catch(() => undefined);
  }

  /** Ends the login in this browser. */
  forget(): void {
    tokenStore.logOut();
    this.leave();
  }

  /** Shows the new name of the user, in the other tabs, too. */
  rename(name: string): void {
    // Another tab may have renewed the tokens, or ended the login, without its message having arrived yet.
    const stored = tokenStore.read();
    if (stored && stored.user.id === this.tokens?.user.id)
      this.keep({ ...stored, user: { ...stored.user, name } });
  }

  private leave(): void {
    clearTimeout(this.timer);
    this.tokens = null;
    this.hasExpired.value = false;
    this.mustEnrol.value = false;
    this.user.value = null;
  }

  /** @returns whether the token is valid again */
  renew(): Promise<boolean> {
    this.renewal ??= this.tryToRenew().finally(() => (this.renewal = null));
    return this.renewal;
  }

  /** Renews the token if it expires at that time, or earlier. */
  renewBefore(expiry: number): void {
    if (this.tokens && expiryOf(this.accessToken) <= expiry) void this.renew();
  }

  /** Sends a request that `api` has no types for. */
  send(request: Request): Promise<Response> {
    request.headers.set('authorization', `Bearer ${this.accessToken}`);
    return this.fetch(request);
  }

  private async tryToRenew(): Promise<boolean> {
    const { tokens } = this;
    if (!tokens) return false;
    try {
      await withLock(() => this.renewOnce(tokens));
      return this.tokens !== null;
    } catch (error) {
      // Meanwhile somebody has logged out, or in again.
      if (this.tokens !== tokens) return false;
      if ((error as ApiError).status === 401) this.expire();
      else this.schedule(spread(RETRY_MS));
      return false;
    }
  }

  private async renewOnce(tokens: StaffTokens): Promise<void> {
    // While this tab waited for its turn, it has adopted what another one has renewed.
    if (this.tokens !== tokens) return;
    const stored = tokenStore.read();
    // Another tab has renewed it, but this one has not received the message yet.
    if (stored && stored.access_token !== this.accessToken && expiryOf(stored.access_token) > Date.now()) {
      return this.use(stored);
    }
    const refreshToken = stored?.refresh_token ?? tokens.refresh_token;
    const answer: unknown = await unwrap(
      this.publicApi.POST('/api/auth/refresh', {
        body: { refresh_token: refreshToken },
        signal: AbortSignal.timeout(TIMEOUT_MS),
      }),
    );
    if (this.tokens === tokens) this.keep(answer as StaffTokens);
  }

  private keep(tokens: StaffTokens): void {
    const complete = { ...tokens, user: tokens.user ?? this.tokens?.user };
    tokenStore.write(complete);
    this.use(complete);
  }

  /** @param lastsMs how long the access token lasts; a clock that is wrong does not matter for a new one */
  private use(tokens: StaffTokens, lastsMs: number = lifetimeOf(tokens.access_token)): void {
    const isRenewed = this.tokens?.access_token !== tokens.access_token;
    this.tokens = tokens;
    this.hasExpired.value = false;
    if (!isSame(this.user.value, tokens.user)) this.user.value = tokens.user;
    if (!isRenewed) return;
    this.schedule(Math.max(MIN_RENEW_MS, lastsMs - RENEW_BEFORE_MS));
    this.onRenewed(tokens.access_token);
  }

  /** What the page shows stays, so that nothing typed is lost. */
  private expire(): void {
    clearTimeout(this.timer);
    this.tokens = null;
    tokenStore.clear();
    this.hasExpired.value = this.user.value !== null;
  }

  /** Another tab has logged in or out, or renewed the tokens. */
  private adopt(change: StaffTokens | 'expired' | 'logged_out'): void {
    if (change === 'logged_out') this.leave();
    else if (change !== 'expired') this.use(change);
    else if (this.tokens) this.expire();
  }

  private schedule(delay: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.renew(), delay);
  }

  private async noteEnrolment(refusal: Response): Promise<void> {
    const body: unknown = await refusal.json().catch(() => null);
    if (readError(body, refusal.status, refusal.headers).code === ENROLMENT_REQUIRED)
      this.mustEnrol.value = true;
  }

  private async fetch(request: Request): Promise<Response> {
    const again = request.clone();
    const sent = this.accessToken;
    const response = await fetch(request);
    if (response.status === 403) void this.noteEnrolment(response.clone());
    if (response.status !== 401 || !this.tokens) return response;
    // Another request may have renewed it meanwhile.
    if (this.accessToken === sent && !(await this.renew())) return response;
    again.headers.set('authorization', `Bearer ${this.accessToken}`);
    return fetch(again);
  }
}

function isSame(one: StaffUser | null, other: StaffUser): boolean {
  return one?.id === other.id && one.name === other.name && one.role === other.role;
}

/** One tab at a time. Without HTTPS there are no locks: then tabs that renew at once get the same tokens. */
function withLock<T>(task: () => Promise<T>): Promise<T> {
  return navigator.locks ? navigator.locks.request('vcq-staff-refresh', task) : task();
}
