import { Injectable } from '@nestjs/common';
import { MembershipsChanged, SessionRevoked } from '../identity/identity.events';
import { Database } from '../platform/database/database';
import { AfterCommit } from '../platform/events/listeners';
import { hasMinimumRole, type Role } from '../platform/http/principal';
import { PresenceChanged } from '../presence/presence.events';
import { QueueBroadcast } from './queue-broadcast';
import { rooms } from './rooms';
import { SocketServer } from './socket-server';

interface Standing {
  role: Role;
  department_ids: string[];
}

/** What changes among the staff: who is there, who may watch what, whose session is over. */
@Injectable()
export class StaffBroadcast {
  constructor(
    private readonly sockets: SocketServer,
    private readonly database: Database,
    private readonly queues: QueueBroadcast,
  ) {}

  /** Colleagues of the user's departments, supervisors and the user's own tabs hear of it. */
  @AfterCommit(PresenceChanged)
  async onPresence({ tenant_id, subject_id, presence, occurred_at }: PresenceChanged): Promise<void> {
    const standing = await this.standing(tenant_id, subject_id);
    const watching = [
      rooms.user(subject_id),
      rooms.supervisors(tenant_id),
      ...standing.department_ids.map((id) => rooms.department(id)),
    ];
    this.sockets.io.to(watching).emit('presence_changed', { user_id: subject_id, presence, at: occurred_at });
    // More or fewer agents serve the lines now: those who wait get a new estimate.
    for (const id of standing.department_ids) this.queues.changed(tenant_id, id, true);
  }

  @AfterCommit(SessionRevoked)
  async onRevoked({ subject_id }: SessionRevoked): Promise<void> {
    this.sockets.io.in(rooms.session(subject_id)).disconnectSockets(true);
  }

  /** Moves the user's sockets, on whatever instance, to the rooms that they may watch now. */
  @AfterCommit(MembershipsChanged)
  async onMemberships({ tenant_id, subject_id }: MembershipsChanged): Promise<void> {
    if (!this.sockets.isUp) return;
    const sockets = await this.sockets.io.in(rooms.user(subject_id)).fetchSockets();
    if (sockets.length === 0) return;
    const wanted = staffRooms(tenant_id, await this.standing(tenant_id, subject_id));
    for (const socket of sockets) {
      for (const room of socket.rooms) {
        const isWatching = room.startsWith(rooms.department('')) || room === rooms.supervisors(tenant_id);
        if (isWatching && !wanted.includes(room)) socket.leave(room);
      }
      socket.join(wanted);
    }
  }

  private async standing(tenantId: string, userId: string): Promise<Standing> {
    const [rows] = await this.database.readTenant<[Standing]>(tenantId, [
      {
        text: `SELECT u.role, ARRAY(SELECT m.department_id FROM department_members m WHERE m.user_id = u.id)
                 AS department_ids
               FROM users u WHERE u.tenant_id = $1 AND u.id = $2`,
        values: [tenantId, userId],
      },
    ]);
    return rows[0] ?? { role: 'attendant', department_ids: [] };
  }

  /** The rooms from which a member of staff watches. */
  async roomsOf(tenantId: string, userId: string): Promise<string[]> {
    return staffRooms(tenantId, await this.standing(tenantId, userId));
  }
}

function staffRooms(tenantId: string, { role, department_ids }: Standing): string[] {
  const watching = department_ids.map((id) => rooms.department(id));
  return hasMinimumRole(role, 'supervisor') ? [rooms.supervisors(tenantId), ...watching] : watching;
}
