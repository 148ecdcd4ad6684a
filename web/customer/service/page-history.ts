import type { NetworkCheck } from '../../shared/device-check';
import { newKey } from '../../shared/new-key';
import type { DevicesOn } from '../../shared/call/media-types';
import type { JoinForm } from './customer-api';

/** A join as it was sent. */
export interface SentJoin {
  form: JoinForm;
  /** The address of the callback that is requested with it. */
  callback?: string | undefined;
}

/** What the page keeps in its entry of the browser's history, which survives a reload of this tab and nothing else. */
interface Entry {
  /** Of a join that has not been answered. */
  joinKey?: string | undefined;
  /** The first one that was sent with that key. */
  sentJoin?: SentJoin | undefined;
  /** What was typed into the form, until it was sent. */
  draft?: JoinForm;
  /** What the check of the network found, and for which call. */
  network?: NetworkCheck & { callId: string };
  /** What is on in a call, once the customer has turned something on or off. */
  devices?: DevicesOn & { callId: string };
  /** The call in which the customer has let camera and microphone start. */
  readyFor?: string | undefined;
  /** When the department of the call opens, which a link that is used up no longer tells. */
  opening?: { callId: string; at: string } | undefined;
  /** The id of the agent's last message that was seen. */
  lastRead?: string | undefined;
  /** Whether the page has reloaded itself because a file of its build was gone. */
  hasReloaded?: boolean;
}

/** The entry of this page in the browser's history, and its address. */
export class PageHistory {
  constructor(
    private readonly history: Pick<History, 'state' | 'replaceState'>,
    private readonly location: Pick<Location, 'pathname' | 'search' | 'hash'>,
  ) {}

  /** The Idempotency-Key of the join: the same one until it is answered, so that a repeated join never joins twice. */
  joinKey(): string {
    const { joinKey = newKey() } = this.entry();
    this.write({ joinKey });
    return joinKey;
  }

  forgetJoinKey(): void {
    this.write({ joinKey: undefined, sentJoin: undefined });
  }

  get sentJoin(): SentJoin | undefined {
    return this.entry().sentJoin;
  }

  keepSentJoin(sentJoin: SentJoin): void {
    this.write({ sentJoin });
  }

  get draft(): JoinForm | undefined {
    return this.entry().draft;
  }

  keepDraft(draft: JoinForm | undefined): void {
    if (draft !== this.draft) this.write({ draft });
  }

  /** What was measured for this call before: once is enough. */
  networkOf(callId: string): NetworkCheck | undefined {
    const { network } = this.entry();
    return network?.callId === callId ? { network: network.network, relay: network.relay } : undefined;
  }

  keepNetwork(callId: string, { network, relay }: NetworkCheck): void {
    this.write({ network: { callId, network, relay } });
  }

  devicesOf(callId: string): DevicesOn | undefined {
    const { devices } = this.entry();
    return devices?.callId === callId ? devices : undefined;
  }

  keepDevices(callId: string, devices: DevicesOn): void {
    this.write({ devices: { ...devices, callId } });
  }

  isReadyFor(callId: string): boolean {
    return this.entry().readyFor === callId;
  }

  /** @param callId undefined once the call has left this page */
  keepReady(callId: string | undefined): void {
    if (callId !== this.entry().readyFor) this.write({ readyFor: callId });
  }

  openingOf(callId: string): string | null {
    const { opening } = this.entry();
    return opening?.callId === callId ? opening.at : null;
  }

  /** @param at null if the department is open */
  keepOpening(callId: string, at: string | null): void {
    if (at !== this.openingOf(callId)) this.write({ opening: at === null ? undefined : { callId, at } });
  }

  get lastRead(): string | undefined {
    return this.entry().lastRead;
  }

  set lastRead(lastRead: string | undefined) {
    if (lastRead !== this.lastRead) this.write({ lastRead });
  }

  /** Removes all that was typed, chosen or measured. */
  forget(): void {
    this.write({
      joinKey: undefined,
      sentJoin: undefined,
      draft: undefined,
      network: undefined,
      devices: undefined,
      readyFor: undefined,
      opening: undefined,
      lastRead: undefined,
    });
  }

  /** @returns whether the page may reload itself: once, so that a broken build does not reload for ever */
  mayReload(): boolean {
    const { hasReloaded = false } = this.entry();
    this.write({ hasReloaded: true });
    return !hasReloaded;
  }

  forgetReload(): void {
    if (this.entry().hasReloaded) this.write({ hasReloaded: undefined });
  }

  /** The token of a resume link, which is removed from the address at once: it must be neither copied nor shared. */
  takeResumeToken(): string | null {
    const token = new URLSearchParams(this.location.hash.slice(1)).get('resume');
    if (token !== null) this.history.replaceState(this.history.state, '', this.address());
    return token === '' ? null : token;
  }

  /** Keeps the chosen language in the address. */
  setLanguage(language: string): void {
    const search = new URLSearchParams(this.location.search);
    search.set('lang', language);
    this.setSearch(search);
  }

  /** Tells the server, after a reload, not to show the form to a customer who is in the line. */
  setInLine(isInLine: boolean): void {
    const search = new URLSearchParams(this.location.search);
    if (search.has('resume') === isInLine) return;
    if (isInLine) search.set('resume', '1');
    else search.delete('resume');
    this.setSearch(search);
  }

  private setSearch(search: URLSearchParams): void {
    const text = String(search);
    this.history.replaceState(this.history.state, '', this.address(text && `?${text}`) + this.location.hash);
  }

  private entry(): Entry {
    const { state } = this.history;
    return typeof state === 'object' && state !== null ? (state as Entry) : {};
  }

  private write(changes: Entry): void {
    this.history.replaceState({ ...this.entry(), ...changes }, '', this.address() + this.location.hash);
  }

  private address(search: string = this.location.search): string {
    return this.location.pathname + search;
  }
}
