import { Injectable, Logger } from '@nestjs/common';
import { MembershipsChanged, SessionRevoked } from '../identity/identity.events';
import { SessionStates } from '../identity/session-states';
import { Database } from '../platform/database/database';
import { AfterCommit } from '../platform/events/listeners';
import { hasMinimumRole, type Role } from '../platform/http/principal';
import { PresenceChanged } from '../presence/presence.events';
import { QueueBroadcast } from './queue-broadcast';
import { rooms } from './rooms';
import { SocketServer } from './socket-server';

interface MembershipChange {
  tenant_id: string;
  user_id: string;
}

interface Standing {
  role: Role;
  department_ids: string[];
}

/** What changes among the staff: who is there, who may watch what, whose session is over. */
@Injectable()
export class StaffBroadcast {
  private readonly logger = new Logger(StaffBroadcast.name);

  constructor(
    private readonly sockets: SocketServer,
    private readonly database: Database,
    private readonly queues: QueueBroadcast,
    private readonly sessions: SessionStates,
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
    if (!this.sockets.isUp) return;
    this.sockets.tellOthers('session_revoked', subject_id);
    this.sockets.everywhere(rooms.session(subject_id), (sockets) => sockets.disconnectSockets(true));
  }

  /** Called when the socket server is up: listens to the other instances. */
  listen(): void {
    this.sockets.io.on('memberships_changed', (change: MembershipChange) => {
      this.rearrange(change).catch((error: unknown) => this.logger.error(error, 'Rooms are out of date'));
    });
    this.sockets.io.on('session_revoked', (id: string) => this.sessions.endHere(id));
  }

  @AfterCommit(MembershipsChanged)
  async onMemberships({ tenant_id, subject_id, department_ids }: MembershipsChanged): Promise<void> {
    if (!this.sockets.isUp) return;
    const change = { tenant_id, user_id: subject_id };
    this.sockets.tellOthers('memberships_changed', change);
    await this.rearrange(change);
    for (const id of department_ids) this.queues.changed(tenant_id, id, true);
  }

  /** Moves the user's sockets on this instance to the rooms that they may watch now. */
  private async rearrange({ tenant_id, user_id }: MembershipChange): Promise<void> {
    const sockets = await this.sockets.io.local.in(rooms.user(user_id)).fetchSockets();
    if (sockets.length === 0) return;
    const wanted = await this.roomsOf(tenant_id, user_id);
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
