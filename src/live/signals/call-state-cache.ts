import { Injectable } from '@nestjs/common';
import { CallAccess, type CallState } from '../../calls/staff/call-access';
import { RefreshingCache } from '../../platform/cache/refreshing-cache';
import { Clock } from '../../platform/clock/clock';
import { Batcher } from '../../calls/batcher';
import { SocketServer } from '../socket-server';

/**
 * The age up to which the states of call and session authorise a signal. It bounds the effect of a lost message between
 * instances, and of a change by the command line.
 */
export const MAX_STATE_AGE_MS = 2000;
/** The state of a call whose participants go on sending is read again at this age. */
const REFRESH_MS = 1200;

/** The states in which the two sides may connect to each other. */
const CONNECTABLE = new Set(['assigned', 'active']);

/** Sent to the other instances. */
interface CallChange {
  tenant_id: string;
  call_id: string;
}

/** The state of a call that is assigned or active. */
export interface ConnectableCall {
  readonly state: CallState;
  /** False once the call has changed or the state is too old: read it again. */
  readonly isCurrent: boolean;
}

interface Entry {
  /** Undefined while it is read. */
  state?: CallState;
  isCurrent: boolean;
  reading: Promise<CallState | undefined>;
}

/**
 * The state of the calls whose participants send signals, so that most signals need no statement. It is dropped at once
 * when the call changes, on every instance, and is at most 2 s old. The states of all calls in use are read again together.
 */
@Injectable()
export class CallStateCache {
  private readonly entries: RefreshingCache<Entry>;
  private readonly reads = new Batcher<string, CallState | undefined>((tenantId, callIds) =>
    this.readStates(tenantId, callIds),
  );

  constructor(
    private readonly access: CallAccess,
    private readonly sockets: SocketServer,
    clock: Clock,
  ) {
    this.entries = new RefreshingCache({
      max: 10_000,
      ttlMs: MAX_STATE_AGE_MS,
      refreshMs: REFRESH_MS,
      clock,
      // A change no longer reaches an entry that is removed, for whatever reason.
      dispose: (entry) => {
        entry.isCurrent = false;
      },
      readAll: (keys) => this.readAll(keys),
    });
  }

  /** Called when the socket server is up: listens to the other instances. */
  listen(): void {
    this.sockets.onOtherInstance('call_changed', ({ tenant_id, call_id }: CallChange) =>
      this.drop(tenant_id, call_id),
    );
  }

  /** Reads the state unless it is cached. @returns undefined for a call of another tenant, or not assigned or active */
  async read(tenantId: string, callId: string): Promise<ConnectableCall | undefined> {
    const key = keyOf(tenantId, callId);
    const entry = this.entries.get(key) ?? this.startReading(tenantId, callId);
    const state = await entry.reading.catch((error: unknown) => {
      this.entries.deleteValue(key, entry);
      throw error;
    });
    if (state && CONNECTABLE.has(state.status)) return Object.assign(entry, { state });
    this.entries.deleteValue(key, entry);
    return undefined;
  }

  /** The entry exists before the state is read, so that a change meanwhile reaches it. */
  private startReading(tenantId: string, callId: string): Entry {
    const reading = this.reads.run(tenantId, callId);
    const entry: Entry = { isCurrent: true, reading };
    this.entries.set(keyOf(tenantId, callId), entry);
    return entry;
  }

  private async readStates(tenantId: string, callIds: string[]): Promise<(CallState | undefined)[]> {
    const states = await this.access.statesOf(callIds, tenantId);
    const statesById = new Map(states.map(({ tenant_id: _tenant, id, ...state }) => [id, state]));
    return callIds.map((id) => statesById.get(id));
  }

  private async readAll(keys: string[]): Promise<Map<string, Entry>> {
    const states = await this.access.statesOf(keys.map((key) => key.slice(key.indexOf(' ') + 1)));
    return new Map(
      states
        .filter(({ status }) => CONNECTABLE.has(status))
        .map(({ tenant_id, id, ...state }) => [
          keyOf(tenant_id, id),
          { state, isCurrent: true, reading: Promise.resolve(state) },
        ]),
    );
  }

  /** The call has changed: its state is dropped on all instances. */
  invalidate(tenantId: string, callId: string): void {
    this.drop(tenantId, callId);
    const change: CallChange = { tenant_id: tenantId, call_id: callId };
    if (this.sockets.isUp) this.sockets.notifyOtherInstances('call_changed', change);
  }

  private drop(tenantId: string, callId: string): void {
    this.entries.delete(keyOf(tenantId, callId));
  }
}

/** A member of another tenant must neither read nor replace the state. */
const keyOf = (tenantId: string, callId: string): string => `${tenantId} ${callId}`;
