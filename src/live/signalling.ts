import { Injectable } from '@nestjs/common';
import { visibleCalls } from '../calls/staff/call-list';
import { Clock } from '../platform/clock/clock';
import { Database } from '../platform/database/database';
import { ApiError, forbidden, unprocessable } from '../platform/http/errors/api-error';
import { Filter } from '../platform/database/filter';
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

  /** A call that its sender may not see is answered as one that does not exist. */
  private async ensureTalking({ data }: LiveSocket, callId: string): Promise<{ version: number }> {
    const isStaff = data.kind === 'staff';
    const visible = isStaff ? visibleCalls(data.user) : ofTenant(data.customer.tenant_id);
    const { sql, values } = visible.and('c.id = ?', callId);
    const tenantId = isStaff ? data.user.tenant_id : data.customer.tenant_id;
    const [rows] = await this.database.readTenant<[SignalState]>(tenantId, [
      {
        name: isStaff && data.user.restricted ? 'signal-state-restricted' : 'signal-state',
        text: `SELECT c.status, c.user_id, c.version FROM calls c ${sql}`,
        values,
      },
    ]);
    const call = rows[0];
    if (!call || !TALKING.has(call.status)) {
      throw unprocessable('invalid_state', 'Signals are relayed while the call is assigned or active.');
    }
    if (isStaff && data.user.user_id !== call.user_id) {
      throw forbidden('The call belongs to another agent.', 'not_your_call');
    }
    return call;
  }
}

const ofTenant = (id: string) => new Filter().and('c.tenant_id = ?', id);
