/** The actions that the log can have, by what they concern. */
export const ACTIONS = {
  login: ['login.succeeded', 'login.failed', 'session.revoked'],
  call: [
    'call.queued',
    'call.offered',
    'call.offer_ended',
    'call.assigned',
    'call.agent_joined',
    'call.requeued',
    'call.transferred',
    'call.started',
    'call.completed',
    'call.missed',
    'call.cancelled',
    'call.abandoned',
    'call.updated',
    'call.rated',
    'call_file.uploaded',
    'call_file.downloaded',
    'recording.ready',
    'recording.ticket_issued',
    'recording.played',
    'recording.downloaded',
    'recording.transcript_read',
    'recording.summary_read',
    'recording.deleted',
    'transcript.retried',
    'summary.retried',
  ],
  customer: [
    'customer.created',
    'customer.updated',
    'customer.merged',
    'customer.deleted',
    'customer.exported',
    'legal_hold.added',
    'legal_hold.released',
    'access_link.created',
    'access_link.cancelled',
    'appointment.created',
    'appointment.updated',
    'appointment.confirmed',
    'appointment.cancelled',
    'appointment.completed',
    'appointment.no_show',
  ],
  user: [
    'user.created',
    'user.updated',
    'user.invited',
    'user.password_reset_requested',
    'user.password_changed',
    'user.mfa_enabled',
    'user.mfa_disabled',
    'user.memberships_changed',
    'user.skills_changed',
    'user.presence_chosen',
    'user.wrap_up_changed',
  ],
  company: [
    'department.created',
    'department.updated',
    'department.deleted',
    'tag.created',
    'tag.updated',
    'tag.deleted',
    'canned_reply.created',
    'canned_reply.updated',
    'canned_reply.deleted',
    'skill.created',
    'skill.updated',
    'skill.deleted',
    'tenant.updated',
    'tenant.data_exported',
    'tenant.suspended',
    'tenant.resumed',
    'subscription.updated',
    'webhook.created',
    'webhook.updated',
    'webhook.deleted',
    'webhook.tested',
    'webhook.replayed',
    'webhook.secret_rotated',
    'webhook.switched_off',
  ],
} as const;

export type ActionGroup = keyof typeof ACTIONS;

export type AuditAction = (typeof ACTIONS)[ActionGroup][number];

export const ACTION_GROUPS = Object.keys(ACTIONS) as ActionGroup[];

/** The kinds of records that entries are about. */
export const SUBJECTS = [
  'call',
  'customer',
  'user',
  'session',
  'department',
  'access_link',
  'appointment',
  'recording',
  'call_file',
  'tag',
  'canned_reply',
  'skill',
  'webhook',
  'tenant',
] as const;

export type SubjectType = (typeof SUBJECTS)[number];

/** @returns the page of the record that an entry is about; null if it has none */
export function pageOf(subjectType: string, subjectId: string): string | null {
  const pages: Readonly<Record<string, string>> = {
    call: '/calls/',
    customer: '/customers/',
    department: '/departments/',
    webhook: '/webhooks/',
  };
  const page = pages[subjectType];
  return page === undefined ? null : `${page}${subjectId}`;
}
