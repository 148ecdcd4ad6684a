import { callOf } from '../state/call-facts';
import type { CustomerApi } from './customer-api';
import type { LineEntry } from './line-entry';
import type { PageStore } from './page-store';
import { asApiError, type RetryOptions, retry } from '../../shared/api/retry';

/** What a customer in the line or after the call can do. */
export class CallActions {
  constructor(
    private readonly store: PageStore,
    private readonly entry: LineEntry,
    private readonly api: CustomerApi,
    private readonly pause: RetryOptions['pause'],
  ) {}

  /**
   * One attempt: a repeated one could leave after the customer has decided to stay.
   * @throws ApiError if the service was not reached, or the call has begun meanwhile
   */
  async leave(): Promise<void> {
    const id = this.callId();
    this.store.isLeaving = true;
    try {
      await this.api.leave(id);
      this.store.dispatch({ type: 'left' });
    } finally {
      this.store.isLeaving = false;
    }
  }

  /**
   * Until the invitation, another request changes the address.
   * @param email by default the address of the join. @throws ApiError
   */
  async requestCallback(email?: string): Promise<void> {
    const { version } = this.store;
    this.store.enter(await this.api.requestCallback(this.callId(), email ?? null), version, email);
  }

  /** @throws ApiError */
  async cancelCallback(): Promise<void> {
    await this.api.cancelCallback(this.callId());
    await this.entry.resume();
  }

  /** @param stars 1 to 5 */
  async rate(stars: number, comment: string | null): Promise<void> {
    const id = this.callId();
    try {
      await retry(() => this.api.rate(id, stars, comment), { pause: this.pause });
      this.store.dispatch({ type: 'rated' });
    } catch (error) {
      const problem = asApiError(error);
      const isRated = problem.code === 'already_rated';
      this.store.dispatch(isRated ? { type: 'rated' } : { type: 'rating_refused', problem });
    }
  }

  skipRating(): void {
    this.store.dispatch({ type: 'rating_skipped', isForgotten: false });
  }

  /** For a borrowed device: removes what this browser keeps of the customer. */
  leaveDevice(): void {
    this.entry.forget();
    this.store.dispatch({ type: 'rating_skipped', isForgotten: true });
  }

  private callId(): string {
    const call = callOf(this.store.state.value);
    if (!call) throw new Error('There is no call');
    return call.id;
  }
}
