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

  constructor(
    private readonly callId: string,
    private readonly session: StaffSession,
    socket: StaffSocket,
  ) {
    this.close = socket.on('transfer_ended', ({ call_id }) => {
      if (call_id === callId) this.state.value = { status: 'refused' };
    });
  }

  async start(body: TransferBody): Promise<void> {
    const path = '/api/v1/calls/{id}/transfer';
    const { api } = this.session;
    const { data } = await unwrap(api.POST(path, { params: { path: { id: this.callId } }, body }));
    this.state.value = data.offer ? { status: 'asked', expires_at: data.offer.expires_at } : null;
  }
}
