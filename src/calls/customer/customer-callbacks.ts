import { Injectable } from '@nestjs/common';
import type { RequestCallbackDto } from '../callbacks/callback.dto';
import { RequestCallback } from '../callbacks/request-callback';
import { Database } from '../../platform/database/database';
import { notFound } from '../../platform/http/errors/api-error';
import { type CustomerIdentity, CustomerTokens } from './customer-tokens';
import { JoinQueue } from './join-queue';
import type { QueueEntryDto } from './public-call.dto';

/** The callback of a customer, whom their websocket_token identifies. */
@Injectable()
export class CustomerCallbacks {
  constructor(
    private readonly database: Database,
    private readonly tokens: CustomerTokens,
    private readonly callbacks: RequestCallback,
    private readonly joins: JoinQueue,
  ) {}

  /** @throws 401; 404 if the token belongs to another call; 422 as RequestCallback */
  async request(callId: string, token: string, input: RequestCallbackDto): Promise<QueueEntryDto> {
    const { tenant_id, device } = await this.customerOf(callId, token);
    await this.callbacks.request(tenant_id, callId, input);
    return this.database.tenant(tenant_id, (tx) => this.joins.entry(tx, tenant_id, callId, device));
  }

  /** @throws as request */
  async cancel(callId: string, token: string): Promise<void> {
    const { tenant_id } = await this.customerOf(callId, token);
    await this.callbacks.cancel(tenant_id, callId);
  }

  private async customerOf(callId: string, token: string): Promise<CustomerIdentity> {
    const customer = await this.tokens.verify(token);
    if (customer.call_id !== callId) throw notFound('Call');
    return customer;
  }
}
