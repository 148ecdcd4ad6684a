import { hasMinimumRole, type Role } from '../platform/access/roles';

/** Names of the Socket.IO rooms. */
export const rooms = {
  customerOf: (callId: string) => `call:${callId}:customer`,
  agentOf: (callId: string) => `call:${callId}:agent`,
  user: (userId: string) => `user:${userId}`,
  session: (sessionId: string) => `session:${sessionId}`,
  department: (departmentId: string) => `department:${departmentId}`,
  supervisors: (tenantId: string) => `tenant:${tenantId}:supervisors`,
  /** Everybody whose socket depends on the department's line. */
  staffOf: (tenantId: string, departmentId: string | null) => [
    rooms.supervisors(tenantId),
    ...(departmentId ? [rooms.department(departmentId)] : []),
  ],
};

const AGENT_ROOM = /^call:(.+):agent$/;

/** The calls among the rooms that an agent's socket has joined and not left again, by hand-over or at their end. */
export const callsJoined = (joined: Iterable<string>): string[] =>
  [...joined].flatMap((room) => AGENT_ROOM.exec(room)?.[1] ?? []);

/** Where staff hear of the lines and colleagues of these departments; supervisors and above hear of all. */
export const watchRooms = (tenantId: string, role: Role, departmentIds: string[]): string[] =>
  hasMinimumRole(role, 'supervisor')
    ? [rooms.supervisors(tenantId)]
    : departmentIds.map((id) => rooms.department(id));

/** Whether staff watch a department, or the whole tenant, from this room. */
export const isWatchRoom = (room: string): boolean => /^(department:|tenant:.+:supervisors$)/.test(room);
