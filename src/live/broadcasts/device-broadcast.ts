import { Injectable } from '@nestjs/common';
import { CustomerDeviceChanged } from '../../calls/callbacks/callback.events';
import { AfterCommit } from '../../platform/events/listeners';
import { SocketOwners } from '../limits/socket-owners';
import { SocketServer } from '../socket-server';
import { disconnectTakenOver } from './call-messages';

/** What instances tell each other of a call that was continued on another device. */
type DeviceNews = Pick<CustomerDeviceChanged, 'call_id' | 'device' | 'occurred_at'>;

/**
 * Disconnects the sockets of a customer's other devices. A socket that connects at this moment is either known already, or
 * finds the new device in the call (LiveSockets).
 */
@Injectable()
export class DeviceBroadcast {
  constructor(
    private readonly sockets: SocketServer,
    private readonly owners: SocketOwners,
  ) {}

  /** Called when the socket server is up: listens to the other instances. */
  listen(): void {
    this.sockets.onOtherInstance('customer_device_changed', (news: DeviceNews) =>
      this.disconnectOthers(news),
    );
  }

  @AfterCommit(CustomerDeviceChanged)
  async onChanged({ call_id, device, occurred_at }: CustomerDeviceChanged): Promise<void> {
    if (!this.sockets.isUp) return;
    const news = { call_id, device, occurred_at };
    this.sockets.notifyOtherInstances('customer_device_changed', news);
    this.disconnectOthers(news);
  }

  private disconnectOthers({ call_id, device, occurred_at }: DeviceNews): void {
    for (const socket of this.owners.socketsOfCall(call_id)) {
      const { data } = socket;
      if (data.kind === 'customer' && data.customer.device < device) disconnectTakenOver(socket, occurred_at);
    }
  }
}
