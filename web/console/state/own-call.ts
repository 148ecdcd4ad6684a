import { signal } from '@preact/signals-core';
import type { CallItem } from '../../shared/socket';
import { AgentCall, type CallContext } from './agent-call';

const nothing = () => undefined;

/** The call of the agent, in the one tab of this browser that has it: two tabs would both send the microphone. */
export class OwnCall {
  readonly current = signal<AgentCall | null>(null);
  /** The call while another tab has it. */
  readonly elsewhere = signal<CallItem | null>(null);
  private item: CallItem | null = null;
  /** The call that the agent has asked for in this tab. */
  private wantedId: string | null = null;
  private release: () => void = nothing;

  constructor(private readonly context: CallContext) {}

  get wanted(): string | null {
    return this.wantedId;
  }

  /** Of the call, whichever tab has it. */
  get id(): string | null {
    return this.item?.id ?? null;
  }

  /** Shows this call: joins it, or leaves the one before. */
  follow(call: CallItem | null): void {
    const before = this.id;
    this.item = call;
    if (before !== this.id) {
      this.leave();
      if (call) void this.join(call.id);
    } else if (call) {
      if (this.current.value) this.current.value.call.value = call;
      if (this.elsewhere.value) this.elsewhere.value = call;
    }
  }

  /** Makes this tab the one that has the call, now or when it becomes the agent's. */
  want(callId: string): void {
    this.wantedId = callId;
    if (this.elsewhere.value?.id === callId) void this.join(callId);
  }

  private async join(id: string): Promise<void> {
    const onLost = () => this.lose(id);
    const isWanted = () => this.wantedId === id;
    let release = await holdCall(id, { steal: isWanted(), onLost });
    if (!release && isWanted()) release = await holdCall(id, { steal: true, onLost });
    // Meanwhile the call has ended, or another click was quicker.
    if (this.item?.id !== id || this.current.value) return release?.();
    if (!release) {
      this.elsewhere.value = this.item;
      return undefined;
    }
    this.release = release;
    this.elsewhere.value = null;
    this.current.value = new AgentCall(this.item, this.context);
    return this.current.value.start();
  }

  private lose(id: string): void {
    if (this.current.value?.id !== id) return;
    this.wantedId = null;
    this.leave();
    this.elsewhere.value = this.item;
  }

  private leave(): void {
    this.current.value?.close();
    this.current.value = null;
    this.elsewhere.value = null;
    this.release();
    this.release = nothing;
    if (this.wantedId !== this.id) this.wantedId = null;
  }
}

interface LockOptions {
  /** Whether another tab must give the call up. */
  steal: boolean;
  /** Another tab has taken the call. */
  onLost: () => void;
}

/**
 * Makes this page the only one of the browser that has the call. A reload releases it. Without HTTPS there are no locks.
 * @returns releases the call; null while another tab has it
 */
function holdCall(callId: string, { steal, onLost }: LockOptions): Promise<(() => void) | null> {
  if (!navigator.locks) return Promise.resolve(() => undefined);
  return new Promise((resolve) => {
    navigator.locks
      .request(`vcq-call ${callId}`, steal ? { steal } : { ifAvailable: true }, (lock) => {
        if (lock) return new Promise<void>((release) => resolve(release));
        return resolve(null);
      })
      .catch(() => {
        // The browser gives no locks: better two tabs than none. After the call was given, this does nothing.
        resolve(() => undefined);
        onLost();
      });
  });
}
