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
