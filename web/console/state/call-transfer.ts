import { signal } from '@preact/signals-core';
import { unwrap, type components } from '../../shared/api/client';
import type { StaffSocket } from '../../shared/socket';
import type { StaffSession } from './staff-session';

/** The service ends an expired offer within this time. */
const MARGIN_MS = 2000;

export type TransferBody = components['schemas']['TransferCallDto'];

/** Another agent is asked to take over the call, or did not do so; `how` is null if that is not known. */
export type TransferState =
  | { status: 'asked'; user_id: string; expires_at: string }
  | { status: 'refused'; user_id: string; how: string | null }
  | null;

/** The transfer of one call, which goes on while another page is shown. */
export class CallTransfer {
  readonly state = signal<TransferState>(null);
  /** Counts what has happened, so that an answer of before changes nothing. */
  private changeCount = 0;
  private isClosed = false;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly stopListening: () => void;

  constructor(
    private readonly callId: string,
    private readonly session: StaffSession,
    socket: StaffSocket,
  ) {
    this.stopListening = socket.on('transfer_ended', ({ call_id, user_id, status: how }) => {
      if (call_id === callId) this.set({ status: 'refused', user_id, how });
    });
  }

  close(): void {
    this.isClosed = true;
    clearTimeout(this.timer);
    this.stopListening();
  }

  async start(body: TransferBody): Promise<void> {
    const path = '/api/v1/calls/{id}/transfer';
    const { api } = this.session;
    const { data } = await unwrap(api.POST(path, { params: { path: { id: this.callId } }, body }));
    this.set(data.offer && asked(data.offer));
  }

  /** Reads what happened before a reload of the page or during a lost connection. */
  async refresh(): Promise<void> {
    const { changeCount } = this;
    const params = { path: { id: this.callId } };
    const { data } = await unwrap(this.session.api.GET('/api/v1/calls/{id}', { params }));
    if (changeCount !== this.changeCount) return;
    const { value: before } = this.state;
    if (data.transfer_offer) this.set(asked(data.transfer_offer));
    // The call is still here, so nobody has taken it.
    else if (before?.status === 'asked') this.set({ status: 'refused', user_id: before.user_id, how: null });
  }

  private set(state: TransferState): void {
    this.changeCount++;
    this.state.value = state;
    clearTimeout(this.timer);
    if (state?.status === 'asked') this.checkAt(Date.parse(state.expires_at));
  }

  /** The end can be missed while there is no connection. The service is asked, because this clock can be wrong. */
  private checkAt(time: number): void {
    if (this.isClosed) return;
    const check = () => this.refresh().catch(() => this.checkAt(time));
    this.timer = setTimeout(() => void check(), Math.max(0, time - Date.now()) + MARGIN_MS);
  }
}

const asked = ({ user_id, expires_at }: components['schemas']['TransferOfferDto']): TransferState => ({
  status: 'asked',
  user_id,
  expires_at,
});
