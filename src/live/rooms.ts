import { hasMinimumRole, type Role } from '../platform/access/roles';

/** Names of the Socket.IO rooms. */
export const rooms = {
  customerOf: (callId: string) => `call:${callId}:customer`,
  /** The sockets of the customer's page with this session, once it has taken the call over from the others. */
  holderOf: (callId: string, session: string) => `holder:${callId}:${session}`,
  agentOf: (callId: string) => `call:${callId}:agent`,
  user: (userId: string) => `user:${userId}`,
  session: (sessionId: string) => `session:${sessionId}`,
  department: (departmentId: string) => `department:${departmentId}`,
  /** Staff who receive the rows of the department's queue, besides its counts. */
  rows: (departmentId: string) => `rows:${departmentId}`,
  supervisors: (tenantId: string) => `tenant:${tenantId}:supervisors`,
  /** The rooms of all staff who watch the department's queue. */
  staffOf: (tenantId: string, departmentId: string | null) => [
    rooms.supervisors(tenantId),
    ...(departmentId ? [rooms.department(departmentId)] : []),
  ],
};

const AGENT_ROOM = /^call:(.+):agent$/;

/** The calls whose agent room is among the joined rooms. */
export const joinedCalls = (joined: Iterable<string>): string[] =>
  [...joined].flatMap((room) => AGENT_ROOM.exec(room)?.[1] ?? []);

/** The rooms in which staff watch queues and colleagues: supervisors and above watch the whole tenant. */
export const watchRoomsFor = (tenantId: string, role: Role, departmentIds: string[]): string[] =>
  hasMinimumRole(role, 'supervisor')
    ? [rooms.supervisors(tenantId)]
    : departmentIds.map((id) => rooms.department(id));

/** Whether the room is one in which staff watch a department or the whole tenant. */
export const isWatchRoom = (room: string): boolean => /^(department:|tenant:.+:supervisors$)/.test(room);

const ROWS_ROOM = /^rows:(.+)$/;

/** The departments among the joined rooms whose rows the socket receives. */
export const watchedRows = (joined: Iterable<string>): string[] =>
  [...joined].flatMap((room) => ROWS_ROOM.exec(room)?.[1] ?? []);
