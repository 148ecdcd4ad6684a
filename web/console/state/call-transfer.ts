import { signal } from '@preact/signals-core';
import { unwrap, type components } from '../../shared/api/client';
import type { StaffSocket } from '../../shared/socket';
import type { StaffSession } from './staff-session';

export type TransferBody = components['schemas']['TransferCallDto'];

/** Another agent is asked to take over the call, or did not do so. */
export type TransferState = { status: 'asked'; expires_at: string } | { status: 'refused' } | null;

/** The transfer of one call, which goes on while another page is shown. */
export class CallTransfer {
  readonly state = signal<TransferState>(null);
  readonly close: () => void;
  /** Counts what has happened, so that an answer of before changes nothing. */
  private changeCount = 0;

  constructor(
    private readonly callId: string,
    private readonly session: StaffSession,
    socket: StaffSocket,
  ) {
    this.close = socket.on('transfer_ended', ({ call_id }) => {
      if (call_id === callId) this.set({ status: 'refused' });
    });
  }

  async start(body: TransferBody): Promise<void> {
    const path = '/api/v1/calls/{id}/transfer';
    const { api } = this.session;
    const { data } = await unwrap(api.POST(path, { params: { path: { id: this.callId } }, body }));
    this.set(askedUntil(data.offer));
  }

  /** Reads what happened before a reload of the page or during a lost connection. */
  async refresh(): Promise<void> {
    const { changeCount } = this;
    const params = { path: { id: this.callId } };
    const { data } = await unwrap(this.session.api.GET('/api/v1/calls/{id}', { params }));
    if (changeCount !== this.changeCount) return;
    const asked = askedUntil(data.transfer_offer);
    if (asked) this.set(asked);
    // The call is still here, so nobody has taken it.
    else if (this.state.value?.status === 'asked') this.set({ status: 'refused' });
  }

  private set(state: TransferState): void {
    this.changeCount++;
    this.state.value = state;
  }
}

const askedUntil = (offer: { expires_at: string } | null): TransferState =>
  offer && { status: 'asked', expires_at: offer.expires_at };
