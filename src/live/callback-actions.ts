import { Injectable } from '@nestjs/common';
import { RequestCallback } from '../calls/callbacks/request-callback';
import type { RequestCallbackDto } from '../calls/callbacks/callback.dto';
import type { CustomerIdentity } from '../calls/customer/customer-tokens';
import { callStatusOf } from '../calls/customer/call-status';
import type { CallStatusDto } from '../calls/customer/public-call.dto';
import { Queue } from '../calls/queue/queue';
import { forbidden, notFound, tooManyRequests } from '../platform/http/errors/api-error';
import { SocketOwners } from './limits/socket-owners';
import type { LiveSocket } from './socket.types';

/** Requests of customers about their callbacks over the socket. They run the same use cases as REST. */
@Injectable()
export class CallbackActions {
  constructor(
    private readonly callbacks: RequestCallback,
    private readonly queue: Queue,
    private readonly owners: SocketOwners,
  ) {}

  /** @throws 403 for staff; 429; as RequestCallback */
  async request(socket: LiveSocket, input: RequestCallbackDto): Promise<CallStatusDto> {
    const { tenant_id, call_id } = this.customerOf(socket);
    await this.callbacks.request(tenant_id, call_id, input);
    return this.statusOf(tenant_id, call_id);
  }

  /** @throws as request */
  async cancel(socket: LiveSocket): Promise<CallStatusDto> {
    const { tenant_id, call_id } = this.customerOf(socket);
    await this.callbacks.cancel(tenant_id, call_id);
    return this.statusOf(tenant_id, call_id);
  }

  private customerOf(socket: LiveSocket): CustomerIdentity {
    const { data } = socket;
    if (data.kind !== 'customer') throw forbidden('Only the customer can do this.');
    if (!this.owners.admitCallChange(socket)) throw tooManyRequests(1);
    return data.customer;
  }

  private async statusOf(tenantId: string, callId: string): Promise<CallStatusDto> {
    const position = await this.queue.positionOf(tenantId, callId);
    if (!position) throw notFound('Call');
    return callStatusOf(position);
  }
}
