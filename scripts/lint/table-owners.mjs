/** The tables that each context owns. Only the owner writes a table; contexts above it may read it. */
export const TABLE_OWNERS = {
  platform: [
    'domain_events',
    'stored_objects',
    'installation',
    // The schema of the job queue.
    'pgboss',
  ],
  tenancy: ['tenants', 'tenant_logos', 'legal_holds', 'timezone_offsets'],
  audit: ['audit_log'],
  plans: ['subscriptions', 'storage_usage', 'mail_usage'],
  presence: ['instances', 'connections'],
  identity: [
    'users',
    'user_avatars',
    'sessions',
    'refresh_tokens',
    'recovery_codes',
    'password_resets',
    'mfa_attempts',
    'login_delays',
    'login_addresses',
    'department_members',
  ],
  billing: ['gateway_events'],
  departments: ['departments'],
  customers: ['customers', 'customer_words', 'customer_merges', 'erasures', 'receipt_keys', 'backfills'],
  tags: ['tags'],
  'canned-replies': ['canned_replies'],
  'access-links': ['access_links', 'access_link_skills'],
  calls: [
    'calls',
    'call_words',
    'call_tags',
    'idempotency_keys',
    'queue_changes',
    'line_entries',
    'call_parts',
    'ended_waits',
    'wait_learning',
    'learned_waits',
    'callbacks',
    'callback_mails',
    'chat_messages',
    'call_quality',
  ],
  routing: [
    'skills',
    'user_skills',
    'presences',
    'presence_periods',
    'offers',
    'offer_exclusions',
    'call_timeline',
    'queue_alerts',
  ],
  files: ['call_files'],
  recordings: ['recordings', 'recording_uploads', 'recording_upload_parts', 'transcripts', 'summaries'],
  appointments: ['appointments'],
  analytics: ['view_refreshes'],
  webhooks: ['webhooks', 'webhook_secrets', 'webhook_events', 'webhook_deliveries', 'webhook_attempts'],
};

/** Contexts that write tables of other contexts, with the reason. */
export const OTHER_WRITERS = [
  {
    context: 'audit',
    tables: ['domain_events'],
    reason: 'Legal holds, which the platform does not know, decide which of the old events are deleted.',
  },
  {
    context: 'customers',
    tables: ['installation'],
    reason: 'The first receipt gives the installation the id by which receipts name it.',
  },
  {
    context: 'operator',
    tables: ['pgboss'],
    reason: 'The migration of the database creates the tables of the job queue and builds their indexes.',
  },
  {
    context: 'demo',
    tables: [
      'tenants',
      'departments',
      'customers',
      'tags',
      'call_tags',
      'calls',
      'call_parts',
      'callbacks',
      'skills',
      'user_skills',
      'offers',
      'appointments',
      'presence_periods',
    ],
    reason:
      'The owners have no functions to create records in the past, nor many at once in one transaction, which demo data needs.',
  },
  {
    context: 'operator',
    tables: ['tenants'],
    reason: 'Deleting a tenant needs the privileges of the login, which no service of the owner has.',
  },
];

/** Contexts that read tables of contexts above or beside them, with the reason. */
export const OTHER_READERS = [
  {
    context: 'presence',
    tables: ['presences'],
    reason: 'Contexts below routing lock the row of an agent, whose connections and calls they change.',
  },
  {
    context: 'access-links',
    tables: ['appointments'],
    reason:
      'The check of a link and the offer of a call are one statement each, and name the appointment of the link.',
  },
  {
    context: 'audit',
    tables: ['users'],
    reason:
      'The log stores the ids of users only, and its list is one statement that joins their current names.',
  },
  {
    context: 'tenancy',
    tables: ['departments'],
    reason:
      'The offsets of all time zones that are in use are stored at the start, and hours have a zone of their own.',
  },
  {
    context: 'customers',
    tables: ['departments'],
    reason:
      'Deleting a customer locks the departments first, so that it cannot deadlock with deleting a department.',
  },
  {
    context: 'identity',
    tables: ['skills', 'user_skills'],
    reason: 'A list of users has the skills of each, which one statement reads with the page.',
  },
  {
    context: 'presence',
    tables: ['offers'],
    reason:
      'The agents of a call, and those to whom it is being offered, are locked by one statement in one order.',
  },
  {
    context: 'access-links',
    tables: ['skills', 'user_skills'],
    reason:
      'A join locks the skills that its link requires, and a link that no agent has the skills for is answered with a warning.',
  },
  {
    context: 'calls',
    tables: ['skills', 'user_skills', 'presences', 'offers'],
    reason:
      'The skills that a waiting call is to require are locked, its estimate counts the agents who have them, and agents see calls that are offered to them.',
  },
];
