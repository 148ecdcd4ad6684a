import { Injectable } from '@nestjs/common';
import { Clock } from '../platform/clock/clock';
import { Database } from '../platform/database/database';
import { ApiError, forbidden, unprocessable } from '../platform/http/api-error';
import type { SignalDto } from './live.dto';
import { rooms } from './rooms';
import { SocketServer } from './socket-server';
import type { LiveSocket } from './socket.types';

interface SignalState {
  status: string;
  user_id: string | null;
  version: number;
}

const LARGEST_SIGNAL = 65_536;
const TALKING = new Set(['assigned', 'active']);

/** Relays session descriptions and ICE candidates between the two sides; the media go past the server. */
@Injectable()
export class Signalling {
  constructor(
    private readonly database: Database,
    private readonly sockets: SocketServer,
    private readonly clock: Clock,
  ) {}

  /** @throws ApiError when the message or the call's state does not allow it */
  async relay(socket: LiveSocket, callId: string, message: SignalDto): Promise<void> {
    const { description, candidate } = message;
    if (!description === !candidate) {
      throw unprocessable('validation_failed', 'A signal carries either a description or a candidate.');
    }
    const body = description ? { description } : { candidate };
    if (Buffer.byteLength(JSON.stringify(body)) > LARGEST_SIGNAL) {
      throw new ApiError(413, 'payload_too_large', `A signal has at most ${LARGEST_SIGNAL} bytes.`);
    }
    const { version } = await this.ensureTalking(socket, callId);
    const from = socket.data.kind === 'customer' ? 'customer' : 'agent';
    const other = from === 'customer' ? rooms.agentOf(callId) : rooms.customerOf(callId);
    this.sockets.io
      .to(other)
      .emit('signal', { call_id: callId, at: this.clock.now().toISOString(), version, from, ...body });
  }

  private async ensureTalking({ data }: LiveSocket, callId: string): Promise<{ version: number }> {
    const tenantId = data.kind === 'customer' ? data.customer.tenant_id : data.user.tenant_id;
    const [rows] = await this.database.readTenant<[SignalState]>(tenantId, [
      {
        name: 'signal-state',
        text: 'SELECT status, user_id, version FROM calls WHERE tenant_id = $1 AND id = $2',
        values: [tenantId, callId],
      },
    ]);
    const call = rows[0];
    if (!call || !TALKING.has(call.status)) {
      throw unprocessable('invalid_state', 'Signals are relayed while the call is assigned or active.');
    }
    if (data.kind === 'staff' && data.user.user_id !== call.user_id) {
      throw forbidden('The call belongs to another agent.', 'not_your_call');
    }
    return call;
  }
}
