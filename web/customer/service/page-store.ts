import { type Signal, signal } from '@preact/signals';
import type { PageData } from '../../shared/page-data';
import { callOf } from '../state/call-facts';
import { reduce } from '../state/reduce';
import { type FinalCode, finalCode } from '../state/refusals';
import type { LinkValidation, QueueEntry } from '../state/server.types';
import { startState, stateWithoutCall } from '../state/start';
import type { PageEvent, Screen, State } from '../state/state.types';
import type { LiveCall } from './live-call';
import type { PageHistory } from './page-history';
import type { TokenStore } from './token-store';

/** Screens to which the socket has nothing more to say. */
const WITHOUT_SOCKET: ReadonlySet<Screen> = new Set<Screen>([
  'problem',
  'closed',
  'full',
  'form',
  'over',
  'rating',
  'thanks',
  'other_device',
]);
/** Screens after which the camera starts only when the customer has been asked again, as opposed to a reload in the call. */
const ASKS_AGAIN: ReadonlySet<Screen> = new Set<Screen>([
  'waiting',
  'callback',
  'over',
  'rating',
  'thanks',
  'other_device',
]);
/** Screens after which a reload begins from the link. */
const WITHOUT_TOKEN: ReadonlySet<Screen> = new Set<Screen>(['over', 'thanks', 'other_device']);

/** The state of the page, and what follows from it for the socket and the stored token. */
export class PageStore {
  readonly state: Signal<State>;
  /** As the page has read it last; null when the link cannot be used. */
  readonly link: Signal<LinkValidation | null>;
  /** Why nobody can join by the link any more, for example because this customer has used it up; null if somebody may. */
  readonly linkEnd: Signal<FinalCode | null>;
  /** While the customer leaves, the end of the call is no news. */
  isLeaving = false;

  constructor(
    readonly page: PageData,
    readonly tokens: TokenStore,
    readonly live: LiveCall,
    private readonly history: Pick<PageHistory, 'keepReady'>,
  ) {
    this.state = signal(startState(page, tokens.get() !== null));
    this.link = signal(page.link);
    this.linkEnd = signal(finalCode(page.error));
    live.onEvent = (event) => this.dispatch(event);
  }

  dispatch(event: PageEvent): void {
    if (this.isLeaving && event.type === 'socket' && event.name === 'call_ended') return;
    const next = reduce(this.state.value, event, this.live.moment());
    if (WITHOUT_TOKEN.has(next.screen)) this.tokens.clear();
    if (ASKS_AGAIN.has(next.screen)) this.history.keepReady(undefined);
    this.state.value = next;
    if (WITHOUT_SOCKET.has(next.screen)) this.live.close();
  }

  /** The version of the call that the page shows. */
  get version(): number | undefined {
    return callOf(this.state.value)?.version;
  }

  /**
   * The service has answered with a place in the line.
   * @param version of the call when the service was asked
   * @param email that the customer has given for a callback
   */
  enter(entry: QueueEntry, version?: number, email?: string): void {
    const isOfOtherCall = version !== undefined && callOf(this.state.value)?.id !== entry.call_id;
    if (!isOfOtherCall) this.tokens.set(entry.websocket_token);
    this.dispatch({ type: 'entered', entry, link: this.link.value, version, email });
    const { screen } = this.state.value;
    // Before the rating for its snapshot alone, which says how the call has ended.
    if (screen === 'rating' || !WITHOUT_SOCKET.has(screen)) this.live.open();
  }

  /** What the page shows without a call. */
  start(): State {
    return stateWithoutCall({ ...this.page, link: this.link.value });
  }

  forgetCall(): void {
    this.tokens.clear();
    this.live.close();
  }
}
