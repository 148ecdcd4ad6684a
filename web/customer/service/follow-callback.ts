import { callOf } from '../state/call-facts';
import { isAway } from '../state/by-status';
import type { PageEvent } from '../state/state.types';
import type { CustomerApi } from './customer-api';
import type { PageStore } from './page-store';
import { spread } from '../../shared/socket-retry';
import { asApiError, isPassing, type RetryOptions } from '../../shared/api/retry';

const POLL_MS = 15_000;

/**
 * Waits while the page shows that the customer will be called back, although the service refuses its socket. It asks for
 * the status of the call alone: a resume would tell the service that an invited customer is there, who may be elsewhere.
 * @returns whether the page may resume the call; false once the customer has done so, or has left
 */
export async function followCallback(
  store: PageStore,
  api: Pick<CustomerApi, 'status'>,
  pause: RetryOptions['pause'],
): Promise<boolean> {
  if (store.state.value.screen !== 'callback') return true;
  for (;;) {
    const call = callOf(store.state.value);
    if (store.state.value.screen !== 'callback' || !call) return false;
    try {
      const { status, callback } = await api.status(call.id);
      if (status !== 'queued' || !isAway(callback)) return store.state.value.screen === 'callback';
      const { id: call_id, version } = call;
      const payload = { ...callback, call_id, version, at: new Date().toISOString() };
      store.dispatch({ type: 'socket', name: 'callback_changed', payload } as PageEvent);
    } catch (error) {
      if (!isPassing(asApiError(error), 1)) return store.state.value.screen === 'callback';
    }
    await pause(spread(POLL_MS));
  }
}
