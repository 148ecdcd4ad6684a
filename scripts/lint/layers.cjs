/**
 * The direction of imports. A folder imports only from folders on lines above its own; neighbours on one line never
 * import each other.
 */
const CONTEXTS = [
  ['platform'],
  ['tenancy'],
  ['audit'],
  ['plans'],
  ['presence'],
  ['identity'],
  ['billing'],
  ['departments', 'customers', 'tags', 'canned-replies'],
  ['access-links'],
  ['calls'],
  ['routing'],
  ['live'],
  ['files'],
  ['recordings'],
  ['appointments'],
  ['analytics'],
  ['exports'],
  ['webhooks'],
  ['pages'],
  ['demo'],
  ['operator'],
];

/** The same inside a folder, except that folders on one line may import each other. */
const INSIDE = {
  platform: [
    ['access', 'clock', 'text'],
    [
      'cache',
      'config',
      'database',
      'events',
      'jobs',
      'logging',
      'mail',
      'metrics',
      'redis',
      'secrets',
      'storage',
      'tokens',
      'tracing',
    ],
    ['http', 'rate-limit'],
  ],
  identity: [
    ['mail', 'pages'],
    ['users'],
    ['sessions'],
    ['access'],
    ['mfa', 'password-reset', 'confirmation'],
  ],
  calls: [
    ['deadlines'],
    ['line'],
    ['machine', 'callbacks', 'media'],
    ['overflow'],
    ['queue'],
    ['customer'],
    ['staff'],
    ['notes', 'tags', 'chat'],
  ],
  routing: [
    ['skills'],
    ['agents'],
    ['offers'],
    ['dispatch'],
    ['transfer', 'supervision', 'timeline', 'alerts', 'callbacks'],
  ],
};

module.exports = { CONTEXTS, INSIDE };
