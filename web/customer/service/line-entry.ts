import { callOf } from '../state/call-facts';
import { finalCode } from '../state/refusals';
import type { QueueEntry } from '../state/server.types';
import type { CustomerApi, JoinForm } from './customer-api';
import { followCallback } from './follow-callback';
import type { PageHistory, SentJoin } from './page-history';
import type { PageStore } from './page-store';
import { asApiError, type RetryOptions, retry } from '../../shared/api/retry';

interface Placed {
  entry: QueueEntry;
  sent: SentJoin;
}

const EMPTY_FORM: JoinForm = { name: '', email: null, phone: null, reason: null };

/** How a screen follows a request that is repeated until it is answered, and ends it. */
export type Attempts = Pick<RetryOptions, 'onRetry' | 'after'> & { signal: AbortSignal };

/** How the customer gets into the line: joins, continues after a reload, begins again. */
export class LineEntry {
  private typed: JoinForm;
  private stopping = new AbortController();
  /** How many joins have been begun. */
  private joins = 0;
  /** How many requests are repeated until they are answered. */
  private persisting = 0;

  constructor(
    private readonly store: PageStore,
    private readonly api: CustomerApi,
    private readonly history: PageHistory,
    private readonly pause: RetryOptions['pause'],
  ) {
    this.typed = history.draft ?? EMPTY_FORM;
    store.live.onRefused = () => void this.resumeRefused();
    store.live.onExpiring = () => void this.renewToken();
  }

  /**
   * Continues the call that the address or this browser knows.
   * @param isForAnotherBrowser whether this one is too limited: a resume link stays in the address, to be opened elsewhere
   */
  start(isForAnotherBrowser = false): void {
    const ofLink = isForAnotherBrowser ? null : this.history.takeResumeToken();
    if (ofLink === null) void this.resume();
    else void this.continue(ofLink, true);
  }

  /** What was typed: until it is sent also after a reload, then as long as the page is open. */
  get form(): JoinForm {
    return this.typed;
  }

  set form(form: JoinForm) {
    this.typed = form;
    this.history.keepDraft(form);
  }

  async join(form: JoinForm): Promise<void> {
    this.form = form;
    this.store.dispatch({ type: 'join_sent' });
    await this.joinAgain(this.attempts);
  }

  /** Joins with what was typed: also from the screen of a full line. */
  async joinAgain(attempts: Attempts): Promise<void> {
    try {
      const placed = await this.place({ form: this.form }, attempts);
      if (placed) this.store.enter(placed.entry);
    } catch (error) {
      this.store.dispatch({ type: 'join_refused', problem: asApiError(error) });
    }
  }

  /** Back to the form, from a request that is not answered. */
  stop(): void {
    this.stopping.abort();
    this.stopping = new AbortController();
    this.store.dispatch({ type: 'start_over', start: this.store.start() });
  }

  /** Asks the service for the call of this browser, which also tells it that an invited customer is there. */
  async resume(): Promise<void> {
    const token = this.store.tokens.get();
    if (token !== null) await this.continue(token, false);
  }

  /** Looks whether the department has opened, how many are waiting, and whether the link still works. */
  async refreshLink(): Promise<void> {
    const { store } = this;
    try {
      const link = await this.api.validate();
      store.link.value = link;
      store.linkEnd.value = null;
      // Another screen would end a request that this one repeats.
      if (this.persisting === 0) store.dispatch({ type: 'link_checked', link });
    } catch (error) {
      store.linkEnd.value ??= finalCode(asApiError(error));
    }
  }

  /** Removes what this browser keeps of the customer. */
  forget(): void {
    this.store.forgetCall();
    this.typed = EMPTY_FORM;
    this.history.forget();
  }

  /** The socket's token is no longer good: the service says what has become of the call. */
  private async resumeRefused(): Promise<void> {
    if (await followCallback(this.store, this.api, this.pause)) await this.resume();
  }

  /** Not while an invitation waits for an answer: a resume tells the service that the customer is there. */
  private async renewToken(): Promise<void> {
    if (callOf(this.store.state.value)?.callback?.status !== 'invited') await this.resume();
  }

  private async continue(token: string, byLink: boolean): Promise<void> {
    if (callOf(this.store.state.value) === null) this.store.dispatch({ type: 'resume_sent' });
    const { attempts } = this;
    const { signal } = attempts;
    const { version } = this.store;
    try {
      const entry = await this.persist(() => this.api.resume(token), attempts);
      if (!signal.aborted) this.store.enter(entry, version);
    } catch (error) {
      if (signal.aborted) return;
      // The resume link is too old, but the call of this browser may go on.
      if (byLink && this.store.tokens.get() !== null) return this.resume();
      this.store.forgetCall();
      const problem = asApiError(error);
      this.store.dispatch({ type: 'resume_refused', problem, byLink, start: this.store.start() });
    }
  }

  /**
   * @returns what has joined; null if the customer has stopped the attempts, and then has no place in the line
   * @throws ApiError if the service refuses it: the next join has another key
   */
  async place(join: SentJoin, attempts: Attempts): Promise<Placed | null> {
    const number = ++this.joins;
    try {
      const placed = await this.persist(() => this.sendJoin(join), attempts);
      // The newer attempt has the same key: it gets the same place.
      if (number !== this.joins) return null;
      this.forgetJoin();
      if (!attempts.signal.aborted) return placed;
      await this.api.leave(placed.entry.call_id, placed.entry.websocket_token);
      return null;
    } catch (error) {
      if (attempts.signal.aborted) return null;
      this.history.forgetJoinKey();
      // Before a reload, the same key was sent with other words in the form.
      if (asApiError(error).code === 'idempotency_key_reused') return this.place(join, attempts);
      throw error;
    }
  }

  /**
   * If an earlier form with the same key has joined, and only its answer was lost, that form is sent again for the answer:
   * another key would join a second time.
   * @returns what has joined
   */
  private async sendJoin(join: SentJoin): Promise<Placed> {
    const key = this.history.joinKey();
    const first = this.history.sentJoin;
    if (!first) this.history.keepSentJoin(join);
    try {
      return { entry: await this.api.join(join.form, key, join.callback), sent: join };
    } catch (error) {
      if (!first || asApiError(error).code !== 'idempotency_key_reused') throw error;
      return { entry: await this.api.join(first.form, key, first.callback), sent: first };
    }
  }

  /** It is answered: what was typed is with the service. */
  private forgetJoin(): void {
    this.history.forgetJoinKey();
    this.history.keepDraft(undefined);
  }

  /** Of the screens that show them by their state. */
  private get attempts(): Attempts {
    const onRetry: Attempts['onRetry'] = (retry) => this.store.dispatch({ type: 'retry', retry });
    return { signal: this.stopping.signal, onRetry };
  }

  /** Repeats the request until it is answered. */
  async persist<Result>(request: () => Promise<Result>, attempts: Attempts): Promise<Result> {
    this.persisting++;
    try {
      return await retry(request, { pause: this.pause, ...attempts });
    } finally {
      this.persisting--;
    }
  }
}
