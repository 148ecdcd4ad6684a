import { Injectable, Logger } from '@nestjs/common';
import { AccessChanged, SessionRevoked } from '../identity/sessions/session.events';
import { MembershipsChanged } from '../identity/users/user.events';
import { SessionStateCache } from '../identity/sessions/session-state-cache';
import { Database } from '../platform/database/database';
import { AfterCommit } from '../platform/events/listeners';
import { PresenceChanged } from '../presence/presence.events';
import { QueueBroadcast } from './queue-broadcast';
import { RoomSync } from './room-sync';
import { rooms } from './rooms';
import { SocketServer } from './socket-server';
import type { LiveSocket } from './socket.types';

interface MembershipChange {
  user_id: string;
}

const sessionOf = ({ data }: LiveSocket) => (data.kind === 'staff' ? data.user.session_id : undefined);

/** What changes among the staff: who is there, who may watch what, whose session is over. */
@Injectable()
export class StaffBroadcast {
  private readonly logger = new Logger(StaffBroadcast.name);

  constructor(
    private readonly sockets: SocketServer,
    private readonly database: Database,
    private readonly queues: QueueBroadcast,
    private readonly sessions: SessionStateCache,
    private readonly keeping: RoomSync,
  ) {}

  /** Colleagues of the user's departments, supervisors and the user's own tabs hear of it. */
  @AfterCommit(PresenceChanged)
  async onPresence({ tenant_id, subject_id, presence, occurred_at }: PresenceChanged): Promise<void> {
    const departments = await this.departmentsOf(tenant_id, subject_id);
    const watching = [
      rooms.user(subject_id),
      rooms.supervisors(tenant_id),
      ...departments.map((id) => rooms.department(id)),
    ];
    this.sockets.io.to(watching).emit('presence_changed', { user_id: subject_id, presence, at: occurred_at });
    // More or fewer agents serve the lines now: those who wait get a new estimate.
    for (const id of departments) this.queues.changed(tenant_id, id, true);
  }

  @AfterCommit(SessionRevoked)
  async onRevoked({ subject_id }: SessionRevoked): Promise<void> {
    if (!this.sockets.isUp) return;
    this.sockets.tellOthers('session_revoked', subject_id);
    this.cut(subject_id);
  }

  /** Called when the socket server is up: listens to the other instances. */
  listen(): void {
    this.sockets.io.on('memberships_changed', (change: MembershipChange) => {
      this.rearrange(change).catch((error: unknown) => this.logger.error(error, 'Rooms are out of date'));
    });
    this.sockets.io.on('access_changed', (subjectId: string) => {
      this.sessions.invalidate(subjectId);
      this.reconsider(subjectId).catch((error: unknown) => this.logger.error(error, 'Access is out of date'));
    });
    this.sockets.io.on('session_revoked', (id: string) => {
      this.sessions.markEnded(id);
      this.cut(id);
    });
  }

  private cut(sessionId: string): void {
    for (const socket of this.sockets.localSockets(rooms.session(sessionId))) socket.disconnect(true);
  }

  /** A user, or everybody of a tenant, may do other things now; their requests ask anew, their sockets here. */
  @AfterCommit(AccessChanged)
  async onAccess({ subject_id }: AccessChanged): Promise<void> {
    if (!this.sockets.isUp) return;
    this.sockets.tellOthers('access_changed', subject_id);
    await this.reconsider(subject_id);
  }

  private async reconsider(subjectId: string): Promise<void> {
    const sockets = this.sockets.local().filter(({ data }) => {
      if (data.kind !== 'staff') return false;
      return data.user.user_id === subjectId || data.user.tenant_id === subjectId;
    });
    await this.cutShutOut(sockets);
    await this.keeping.sync(sockets);
  }

  /** Cuts the sockets whose session is over, or is to set up a second factor before anything else. */
  async cutShutOut(sockets: LiveSocket[]): Promise<void> {
    const shutOut = new Set(
      await this.sessions.findUnusable(sockets.flatMap((socket) => sessionOf(socket) ?? [])),
    );
    // Asked again: a socket may have renewed its token with another session meanwhile.
    for (const socket of sockets) {
      if (shutOut.has(sessionOf(socket) ?? '')) socket.disconnect(true);
    }
  }

  @AfterCommit(MembershipsChanged)
  async onMemberships({ tenant_id, subject_id, department_ids }: MembershipsChanged): Promise<void> {
    if (!this.sockets.isUp) return;
    const change = { user_id: subject_id };
    this.sockets.tellOthers('memberships_changed', change);
    await this.rearrange(change);
    for (const id of department_ids) this.queues.changed(tenant_id, id, true);
  }

  /** Moves the user's sockets on this instance to the rooms that they may watch now. */
  private async rearrange({ user_id }: MembershipChange): Promise<void> {
    await this.keeping.sync(this.sockets.localSockets(rooms.user(user_id)));
  }

  private async departmentsOf(tenantId: string, userId: string): Promise<string[]> {
    const [memberships] = await this.database.readTenant<[{ department_id: string }]>(tenantId, [
      {
        text: 'SELECT department_id FROM department_members WHERE tenant_id = $1 AND user_id = $2',
        values: [tenantId, userId],
      },
    ]);
    return memberships.map((membership) => membership.department_id);
  }
}
