import { Injectable } from '@nestjs/common';
import { AfterCommit } from '../../platform/events/listeners';
import { QueueAlert } from '../../routing/alerts/alert.events';
import { rooms } from '../rooms';
import { SocketServer } from '../socket-server';

/** Sends the alerts about queues to supervisors and above. */
@Injectable()
export class AlertBroadcast {
  constructor(private readonly sockets: SocketServer) {}

  @AfterCommit(QueueAlert)
  async onAlert({ tenant_id, kind, department_id, since, occurred_at: at }: QueueAlert): Promise<void> {
    if (!this.sockets.isUp) return;
    this.sockets.emitTo(rooms.supervisors(tenant_id), 'alert', { kind, department_id, since, at });
  }
}
