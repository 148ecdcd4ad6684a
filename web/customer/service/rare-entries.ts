import { asApiError, retry } from '../../shared/api/retry';
import { pause } from '../../shared/pause';
import { isLinkProblem } from '../state/refusals';
import { stateOfLink } from '../state/start';
import type { CustomerApi, JoinForm } from './customer-api';
import type { Attempts, LineEntry } from './line-entry';
import type { PageStore } from './page-store';

/** Ways into the line that few customers take: apart from LineEntry, which each page loads before its form can be used. */
interface Services {
  store: PageStore;
  entry: LineEntry;
  api: Pick<CustomerApi, 'requestCallback' | 'validate'>;
}

/**
 * Joins while the department is closed, for a message to this address after it has opened.
 * @throws ApiError if the service refuses it, unless that is shown as a screen
 */
export async function joinForCallback(
  { store, entry: line, api }: Services,
  form: JoinForm,
  email: string,
  attempts: Attempts,
): Promise<void> {
  line.form = form;
  try {
    const placed = await line.place({ form, callback: email }, attempts);
    if (!placed) return;
    const { entry, sent } = placed;
    store.enter(entry);
    // What an earlier form has joined with, if its answer was lost.
    if (sent.callback === email) return;
    const { version } = store;
    const changing = retry(() => api.requestCallback(entry.call_id, email), { pause });
    store.enter(await changing, version, email);
  } catch (error) {
    const problem = asApiError(error);
    if (!isLinkProblem(problem)) throw problem;
    store.dispatch({ type: 'join_refused', problem });
  }
}

/** Begins again from the link. */
export async function startOver({ store, entry, api }: Services, attempts: Attempts): Promise<void> {
  store.forgetCall();
  try {
    const link = await entry.persist(() => api.validate(), attempts);
    if (attempts.signal.aborted) return;
    store.link.value = link;
    store.dispatch({ type: 'start_over', start: stateOfLink(link) });
  } catch (error) {
    if (attempts.signal.aborted) return;
    store.dispatch({ type: 'start_over', start: { screen: 'problem', problem: asApiError(error) } });
  }
}
