import { Injectable } from '@nestjs/common';
import { Database } from '../platform/database/database';
import type { Role } from '../platform/access/roles';
import { callsJoined, isWatchRoom, rooms, watchRooms } from './rooms';
import type { LiveSocket, StaffData } from './socket.types';

interface Standing {
  id: string;
  tenant_id: string;
  role: Role;
  department_ids: string[];
}

interface Agency {
  id: string;
  user_id: string | null;
}

type StaffSocket = LiveSocket & { data: StaffData };

/** Keeps the sockets of staff in the rooms that they may be in, whatever news of a change got lost. */
@Injectable()
export class RoomSync {
  constructor(private readonly database: Database) {}

  /**
   * Puts each socket into the rooms its user may watch from and takes it out of those it may not, and out
   * of calls that are no longer its user's. Two statements for all sockets together.
   */
  async sync(sockets: LiveSocket[]): Promise<void> {
    const staff = sockets.filter((socket): socket is StaffSocket => socket.data.kind === 'staff');
    if (staff.length === 0) return;
    // Rooms entered while the answer is on its way were entered on newer news: they are left alone.
    const before = new Map(staff.map((socket) => [socket, [...socket.rooms]]));
    const { standings, agents } = await this.read(staff);
    for (const socket of staff) {
      if (socket.disconnected) continue;
      const { user_id } = socket.data.user;
      const standing = standings.get(user_id);
      const watching = standing ? watchRooms(standing.tenant_id, standing.role, standing.department_ids) : [];
      // Joined before others are left: who becomes a supervisor is to miss nothing in between.
      await socket.join(watching);
      for (const room of before.get(socket) ?? []) {
        if (isWatchRoom(room) && !watching.includes(room)) await socket.leave(room);
      }
      for (const call of callsJoined(before.get(socket) ?? [])) {
        if (agents.get(call) !== user_id) await socket.leave(rooms.agentOf(call));
      }
    }
  }

  private async read(staff: StaffSocket[]) {
    const users = [...new Set(staff.map(({ data }) => data.user.user_id))];
    const calls = [...new Set(staff.flatMap((socket) => callsJoined(socket.rooms)))];
    const [standings, agencies] = await this.database.readSystem<[Standing, Agency]>([
      {
        name: 'staff-standings',
        text: `SELECT u.id, u.tenant_id, u.role,
                 ARRAY(SELECT m.department_id FROM department_members m WHERE m.user_id = u.id) AS department_ids
               FROM users u WHERE u.id = ANY ($1)`,
        values: [users],
      },
      {
        name: 'agents-of-calls',
        text: `SELECT id, user_id FROM calls WHERE id = ANY ($1) AND status IN ('assigned', 'active')`,
        values: [calls],
      },
    ]);
    return {
      standings: new Map(standings.map((standing) => [standing.id, standing])),
      agents: new Map(agencies.map((agency) => [agency.id, agency.user_id])),
    };
  }
}
