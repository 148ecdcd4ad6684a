import { Injectable } from '@nestjs/common';
import { Database } from '../platform/database/database';
import { joinedCalls, isWatchRoom, rooms, watchedRows, watchRoomsFor } from './rooms';
import type { LiveSocket, StaffData } from './socket.types';
import { Role } from '../platform/access/roles';

interface WatchScope {
  id: string;
  tenant_id: string;
  role: Role;
  department_ids: string[];
}

interface CallAgent {
  id: string;
  user_id: string | null;
}

type StaffSocket = LiveSocket & { data: StaffData };

/** No event may precede the snapshot, so a socket joins no rooms before it. */
const isOpenStaffSocket = (socket: LiveSocket): socket is StaffSocket =>
  socket.data.kind === 'staff' && socket.data.hasSnapshot === true;

/** Puts the sockets of staff into the rooms that they may be in, even if the event of a change was lost. */
@Injectable()
export class RoomSync {
  constructor(private readonly database: Database) {}

  /**
   * Makes each socket join the watch rooms of its user, and leave other watch rooms and calls that were reassigned.
   * Sockets without a snapshot are left alone. Two statements serve all sockets.
   */
  async sync(sockets: LiveSocket[]): Promise<void> {
    const staff = sockets.filter(isOpenStaffSocket);
    if (staff.length === 0) return;
    // Rooms joined while the query runs follow newer events, so they are not left.
    const before = new Map(staff.map((socket) => [socket, [...socket.rooms]]));
    const { scopes, agents } = await this.read(staff);
    for (const socket of staff) {
      if (socket.disconnected) continue;
      const { user_id } = socket.data.user;
      const scope = scopes.get(user_id);
      const watching = scope ? watchRoomsFor(scope.tenant_id, scope.role, scope.department_ids) : [];
      // Join before leaving, so that a user whose role changes misses no event in between.
      await socket.join(watching);
      for (const room of before.get(socket) ?? []) {
        if (isWatchRoom(room) && !watching.includes(room)) await socket.leave(room);
      }
      for (const id of watchedRows(before.get(socket) ?? [])) {
        if (!watching.some((room) => rooms.staffOf(socket.data.user.tenant_id, id).includes(room)))
          await socket.leave(rooms.rows(id));
      }
      for (const call of joinedCalls(before.get(socket) ?? [])) {
        if (agents.get(call) !== user_id) await socket.leave(rooms.agentOf(call));
      }
    }
  }

  private async read(staff: StaffSocket[]) {
    const users = [...new Set(staff.map(({ data }) => data.user.user_id))];
    const calls = [...new Set(staff.flatMap((socket) => joinedCalls(socket.rooms)))];
    const [scopes, agents] = await this.database.readSystem<[WatchScope, CallAgent]>([
      {
        text: `SELECT u.id, u.tenant_id, u.role,
                 ARRAY(SELECT m.department_id FROM department_members m WHERE m.user_id = u.id) AS department_ids
               FROM users u WHERE u.id = ANY ($1)`,
        values: [users],
      },
      {
        text: `SELECT id, user_id FROM calls WHERE id = ANY ($1) AND status IN ('assigned', 'active')`,
        values: [calls],
      },
    ]);
    return {
      scopes: new Map(scopes.map((scope) => [scope.id, scope])),
      agents: new Map(agents.map((agent) => [agent.id, agent.user_id])),
    };
  }
}
