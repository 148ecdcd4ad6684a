import { Injectable } from '@nestjs/common';
import { Database } from '../platform/database/database';
import { forbidden, notFound } from '../platform/http/errors/api-error';
import type { Principal } from '../platform/access/principal';
import { QueueBroadcast } from './queue-broadcast';
import { rooms } from './rooms';
import { watchedDepartments } from './queue-summaries';
import type { LiveSocket } from './socket.types';

/** Staff sockets choose the departments whose waiting calls they receive as rows, besides the counts of all queues. */
@Injectable()
export class DepartmentWatch {
  constructor(
    private readonly database: Database,
    private readonly queues: QueueBroadcast,
  ) {}

  /**
   * From now on `queue_updated` of the department has rows. The current queue is sent, because it may have changed
   * since the snapshot.
   * @throws 403 for a customer, 404 for a department whose queue the user may not see
   */
  async watch(socket: LiveSocket, departmentId: string): Promise<void> {
    const user = staffOf(socket);
    const [departments] = await this.database.readTenant<[{ id: string }]>(user.tenant_id, [
      watchedDepartments(user),
    ]);
    if (!departments.some(({ id }) => id === departmentId)) throw notFound('Department');
    await socket.join(rooms.rows(departmentId));
    // Socket.IO does not remove a socket from rooms that it joined after disconnecting.
    if (socket.disconnected) socket.nsp.adapter.delAll(socket.id);
    this.queues.send(user.tenant_id, departmentId);
  }

  /** @throws 403 for a customer */
  async unwatch(socket: LiveSocket, departmentId: string): Promise<void> {
    staffOf(socket);
    await socket.leave(rooms.rows(departmentId));
  }
}

function staffOf({ data }: LiveSocket): Principal {
  if (data.kind !== 'staff') throw forbidden('Only staff can do this.');
  return data.user;
}
