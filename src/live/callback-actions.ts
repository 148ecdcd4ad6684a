import { Injectable } from '@nestjs/common';
import { RequestCallback } from '../calls/callbacks/request-callback';
import type { RequestCallbackDto } from '../calls/callbacks/callback.dto';
import { callStatusOf } from '../calls/customer/call-status';
import type { CallStatusDto } from '../calls/customer/public-call.dto';
import { Queue } from '../calls/queue/queue';
import { forbidden, notFound } from '../platform/http/errors/api-error';
import type { LiveSocket } from './socket.types';

/** Requests of customers about their callbacks over the socket. They run the same use cases as REST. */
@Injectable()
export class CallbackActions {
  constructor(
    private readonly callbacks: RequestCallback,
    private readonly queue: Queue,
  ) {}

  /** @throws 403 for staff; as RequestCallback */
  async request({ data }: LiveSocket, input: RequestCallbackDto): Promise<CallStatusDto> {
    const { tenant_id, call_id } = customerOf(data);
    await this.callbacks.request(tenant_id, call_id, input);
    return this.statusOf(tenant_id, call_id);
  }

  /** @throws 403 for staff; as RequestCallback */
  async cancel({ data }: LiveSocket): Promise<CallStatusDto> {
    const { tenant_id, call_id } = customerOf(data);
    await this.callbacks.cancel(tenant_id, call_id);
    return this.statusOf(tenant_id, call_id);
  }

  private async statusOf(tenantId: string, callId: string): Promise<CallStatusDto> {
    const position = await this.queue.positionOf(tenantId, callId);
    if (!position) throw notFound('Call');
    return callStatusOf(position);
  }
}

function customerOf(data: LiveSocket['data']) {
  if (data.kind !== 'customer') throw forbidden('Only the customer can do this.');
  return data.customer;
}
