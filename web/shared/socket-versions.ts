/** What to do with an event of a call, by its version: docs/realtime.md, "Versions and missed events". */
export type VersionVerdict = 'deliver' | 'ignore' | 'deliver_and_resync';

/** Events that carry the version of their call without describing a state that it replaces. */
const MESSAGES = new Set([
  'signal',
  'peer_ready',
  'renegotiate',
  'chat_message',
  'media_state',
  'taken_over',
  'offer',
]);

/** The newest known version of each call. */
export class SocketVersions {
  private readonly known = new Map<string, number>();

  /** @param event of the socket; an event without a call or a version is always delivered */
  check(event: string, payload: { call_id?: string; version?: number }): VersionVerdict {
    const { call_id: call, version } = payload;
    if (call === undefined || version === undefined) return 'deliver';
    const known = this.known.get(call);
    if (known !== undefined && version < known) return MESSAGES.has(event) ? 'deliver' : 'ignore';
    // An event without a version of its own does not prove that the change before it arrived.
    if (!MESSAGES.has(event)) this.known.set(call, version);
    const isGap = known !== undefined && version > known + (MESSAGES.has(event) ? 0 : 1);
    return isGap ? 'deliver_and_resync' : 'deliver';
  }

  /** A snapshot has the complete state, so it is the newest known version even if it is lower. */
  reset(call: string, version: number): void {
    this.known.set(call, version);
  }

  clear(): void {
    this.known.clear();
  }
}
