import { type ReadonlySignal, signal } from '@preact/signals';

/** How long the other tabs of this browser have to answer. */
const ANSWER_MS = 250;

/** `none`: there is nothing to hold. `asking`: waiting for other tabs to say that they hold it. */
export type Claim = 'none' | 'asking' | 'mine' | 'other';

type Message = { type: 'ask' | 'held' | 'taken'; session: string; isVisible: boolean };

export interface TabChannel {
  postMessage(message: Message): void;
  addEventListener(type: 'message', listener: (event: { data: Message }) => void): void;
}

/**
 * Which of the tabs of one browser holds the call: only one may use camera and microphone, and only one rings. The first one that asks, and of
 * several that ask at the same time a visible one. A tab that loses the call says so, and can take it over.
 */
export class TabClaim {
  private readonly current = signal<Claim>('none');
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly session: string,
    /** Undefined where the browser has no BroadcastChannel: then the service alone decides, and the last tab wins. */
    private readonly channel: TabChannel | undefined,
    private readonly isVisible: () => boolean,
  ) {
    channel?.addEventListener('message', ({ data }) => this.receive(data));
  }

  get claim(): ReadonlySignal<Claim> {
    return this.current;
  }

  /** Called when there is a call to hold, or an invitation to ring for. */
  ask(): void {
    if (this.current.value !== 'none') return;
    if (!this.channel) {
      this.current.value = 'mine';
      return;
    }
    this.current.value = 'asking';
    this.send('ask');
    this.timer = setTimeout(() => {
      if (this.current.value === 'asking') this.current.value = 'mine';
    }, ANSWER_MS);
  }

  /** The customer wants the call in this tab. */
  take(): void {
    clearTimeout(this.timer);
    this.current.value = 'mine';
    this.send('taken');
  }

  /** The service says that another tab holds the call. */
  lose(): void {
    clearTimeout(this.timer);
    this.current.value = 'other';
  }

  /** There is nothing to hold any more. */
  release(): void {
    clearTimeout(this.timer);
    this.current.value = 'none';
  }

  private receive(message: Message): void {
    if (message.session === this.session || this.current.value === 'none') return;
    const isMine =
      this.current.value === 'mine' || (this.current.value === 'asking' && this.isBefore(message));
    if (message.type === 'ask' && isMine) this.send('held');
    // A tab that slept may answer late. The call stays here, because the service has already told that tab that it lost the call.
    else if (message.type !== 'held' || this.current.value === 'asking') this.lose();
  }

  /** Both tabs come to the same result. */
  private isBefore(other: Message): boolean {
    const isVisible = this.isVisible();
    return isVisible === other.isVisible ? this.session < other.session : isVisible;
  }

  private send(type: Message['type']): void {
    this.channel?.postMessage({ type, session: this.session, isVisible: this.isVisible() });
  }
}
