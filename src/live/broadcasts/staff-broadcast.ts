import { Injectable, Logger } from '@nestjs/common';
import { AccessChanged, SessionRevoked } from '../../identity/sessions/session.events';
import { DepartmentDeleted } from '../../departments/department.events';
import { MembershipsChanged } from '../../identity/users/user.events';
import { SessionStateCache } from '../../identity/sessions/session-state-cache';
import { Clock } from '../../platform/clock/clock';
import { Database } from '../../platform/database/database';
import { AfterCommit } from '../../platform/events/listeners';
import { AgentStateChanged } from '../../routing/agents/agent.events';
import { UserSkillsChanged } from '../../routing/skills/skill.events';
import { QueueBroadcast } from './queue-broadcast';
import { RoomSync } from '../room-sync';
import { rooms } from '../rooms';
import { readCurrent } from '../snapshots/read-current';
import { Snapshots } from '../snapshots/snapshots';
import { SocketServer } from '../socket-server';
import type { LiveSocket } from '../socket.types';

interface MembershipChange {
  user_id: string;
}

interface Deletion {
  tenant_id: string;
  department_id: string;
}

const sessionOf = ({ data }: LiveSocket) => (data.kind === 'staff' ? data.user.session_id : undefined);

/** Reacts to changes of the states of agents, of memberships, skills, access and sessions of staff. */
@Injectable()
export class StaffBroadcast {
  private readonly logger = new Logger(StaffBroadcast.name);

  constructor(
    private readonly sockets: SocketServer,
    private readonly database: Database,
    private readonly queues: QueueBroadcast,
    private readonly sessions: SessionStateCache,
    private readonly roomSync: RoomSync,
    private readonly snapshots: Snapshots,
    private readonly clock: Clock,
  ) {}

  /** Sent to colleagues of the user's departments, to supervisors and to the user's own tabs. */
  @AfterCommit(AgentStateChanged)
  async onAgentState(event: AgentStateChanged): Promise<void> {
    const { tenant_id, subject_id, presence, previous_presence, department_ids } = event;
    const watching = [
      rooms.user(subject_id),
      rooms.supervisors(tenant_id),
      ...department_ids.map((id) => rooms.department(id)),
    ];
    const { state, reason, since, occurred_at: at } = event;
    const change = { user_id: subject_id, presence, state, reason, since, at };
    this.sockets.emitTo(watching, 'presence_changed', change);
    if (presence === previous_presence) return;
    // The number of agents changed, so waiting customers get a new estimate.
    for (const id of department_ids) this.queues.rateChanged(tenant_id, id);
  }

  /** Calls that require these skills wait for more or fewer agents. */
  @AfterCommit(UserSkillsChanged)
  async onSkills({ tenant_id, subject_id }: UserSkillsChanged): Promise<void> {
    if (!this.sockets.isUp) return;
    for (const id of await this.departmentsOf(tenant_id, subject_id)) this.queues.rateChanged(tenant_id, id);
  }

  @AfterCommit(SessionRevoked)
  async onRevoked({ subject_id }: SessionRevoked): Promise<void> {
    if (!this.sockets.isUp) return;
    this.sockets.notifyOtherInstances('session_revoked', subject_id);
    this.disconnectSession(subject_id);
  }

  /** Called when the socket server is up: listens to the other instances. */
  listen(): void {
    this.sockets.onOtherInstance('memberships_changed', (change: MembershipChange) => {
      this.syncRoomsOf(change).catch((error: unknown) =>
        this.logger.error(error, 'Rooms could not be synchronised'),
      );
    });
    this.sockets.onOtherInstance('department_deleted', (deletion: Deletion) => this.endWatching(deletion));
    this.sockets.onOtherInstance('access_changed', (subjectId: string) => {
      this.sessions.invalidate(subjectId);
      this.recheckAccess(subjectId).catch((error: unknown) =>
        this.logger.error(error, 'Access could not be checked again'),
      );
    });
    this.sockets.onOtherInstance('session_revoked', (id: string) => {
      this.sessions.markEnded(id);
      this.disconnectSession(id);
    });
  }

  private disconnectSession(sessionId: string): void {
    for (const socket of this.sockets.localSocketsIn(rooms.session(sessionId))) socket.disconnect(true);
  }

  /** The access of a user, or of a whole tenant, changed: their open sockets are checked again. */
  @AfterCommit(AccessChanged)
  async onAccess({ subject_id }: AccessChanged): Promise<void> {
    if (!this.sockets.isUp) return;
    this.sockets.notifyOtherInstances('access_changed', subject_id);
    await this.recheckAccess(subject_id);
  }

  private async recheckAccess(subjectId: string): Promise<void> {
    const sockets = this.sockets.localSockets().filter(({ data }) => {
      if (data.kind !== 'staff') return false;
      return data.user.user_id === subjectId || data.user.tenant_id === subjectId;
    });
    await this.disconnectBlocked(sockets);
    await this.roomSync.sync(sockets);
  }

  /** Disconnects sockets whose session has ended, or whose user must enrol a second factor first. */
  async disconnectBlocked(sockets: LiveSocket[]): Promise<void> {
    const shutOut = new Set(
      await this.sessions.findUnusable(sockets.flatMap((socket) => sessionOf(socket) ?? [])),
    );
    // Read the session again: the socket may have renewed its token with another one meanwhile.
    for (const socket of sockets) {
      if (shutOut.has(sessionOf(socket) ?? '')) socket.disconnect(true);
    }
  }

  @AfterCommit(MembershipsChanged)
  async onMemberships({ tenant_id, subject_id, department_ids }: MembershipsChanged): Promise<void> {
    if (!this.sockets.isUp) return;
    const change = { user_id: subject_id };
    this.sockets.notifyOtherInstances('memberships_changed', change);
    await this.syncRoomsOf(change);
    for (const id of department_ids) this.queues.rateChanged(tenant_id, id);
  }

  @AfterCommit(DepartmentDeleted)
  async onDepartmentDeleted({ tenant_id, subject_id }: DepartmentDeleted): Promise<void> {
    if (!this.sockets.isUp) return;
    const deletion = { tenant_id, department_id: subject_id };
    this.sockets.notifyOtherInstances('department_deleted', deletion);
    this.endWatching(deletion);
  }

  /** The deletion does not wait for it: there may be hundreds of users who watched the queue. */
  private endWatching(deletion: Deletion): void {
    this.syncWatchersOf(deletion).catch((error: unknown) =>
      this.logger.error(error, 'Staff could not be told of a deleted department'),
    );
  }

  private async syncWatchersOf({ tenant_id, department_id }: Deletion): Promise<void> {
    const watchers = rooms
      .staffOf(tenant_id, department_id)
      .flatMap((room) => this.sockets.localSocketsIn(room));
    const users = watchers.flatMap(({ data }) => (data.kind === 'staff' ? data.user.user_id : []));
    for (const user_id of new Set(users)) await this.syncRoomsOf({ user_id });
  }

  /**
   * Moves the user's sockets on this instance to the rooms that they may watch, then sends them a snapshot: updates tell
   * neither that a queue is gone nor which colleagues a new one has.
   */
  private async syncRoomsOf({ user_id }: MembershipChange): Promise<void> {
    const sockets = this.sockets.localSocketsIn(rooms.user(user_id));
    const [first] = sockets;
    if (!first) return;
    await this.roomSync.sync(sockets);
    const { state: snapshot } = await readCurrent(sockets, async () => {
      const readMs = performance.now();
      return { state: await this.snapshots.of(first), readMs };
    });
    const at = this.clock.now().toISOString();
    for (const socket of sockets) socket.emit('snapshot', { ...snapshot, at });
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
