import { Injectable } from '@nestjs/common';
import { HoldCall } from '../../calls/customer/hold-call';
import { forbidden, tooManyRequests } from '../../platform/http/errors/api-error';
import { SocketOwners } from '../limits/socket-owners';
import type { LiveSocket } from '../socket.types';
import { CustomerPages } from './customer-pages';

/** The page of a customer takes the call over from the customer's other pages. */
@Injectable()
export class HolderActions {
  constructor(
    private readonly calls: HoldCall,
    private readonly pages: CustomerPages,
    private readonly owners: SocketOwners,
  ) {}

  /**
   * @returns the page that holds the call now, and the version of the call with which it does: a `taken_over` with a lower
   *   one is older
   * @throws 403 for staff; 429; as HoldCall
   */
  async takeOver(socket: LiveSocket): Promise<{ call_id: string; session: string; version: number }> {
    const { data } = socket;
    if (data.kind !== 'customer') throw forbidden('Only the customer can do this.');
    if (!this.owners.admitCallChange(socket)) throw tooManyRequests(1);
    const { tenant_id, call_id } = data.customer;
    const session = data.page_session;
    const { version } = await this.calls.hold(tenant_id, call_id, session);
    this.pages.setHolder(socket, { session, version });
    return { call_id, session, version };
  }
}
