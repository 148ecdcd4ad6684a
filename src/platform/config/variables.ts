import { bool, host, port, str } from 'envalid';
import {
  databaseRole,
  hosts,
  list,
  mailbox,
  secrets,
  smtpServer,
  storageUrl,
  trustedProxies,
  url,
  wholeNumber,
} from './variable-parsers';

const positive = wholeNumber(1);

/** The database refuses to delete younger rows of the audit log (purge_audit_log). */
const MIN_AUDIT_DAYS = 30;

/**
 * Every environment variable of the service with its parser, default and description.
 * `docs/configuration.md` is written from this table, and a test compares them.
 */
export const VARIABLES = {
  NODE_ENV: str({
    choices: ['development', 'test', 'production'],
    default: 'development',
    desc: '`production` requires DATABASE_URL and 32-byte secrets',
  }),
  PORT: port({ default: 3000, desc: 'Port to listen on' }),
  HOST: host({ default: '0.0.0.0', desc: 'Address to listen on' }),
  DRAIN_SECONDS: wholeNumber(0)({
    default: 0,
    desc: 'Seconds between reporting that it is not ready and closing, in which a load balancer stops sending requests',
  }),
  PUBLIC_URL: url(
    'http',
    'https',
  )({
    default: undefined,
    docs: 'http://localhost:PORT',
    desc: 'Base of links and of websocket_url, which uses ws for http and wss for https',
  }),
  DATA_DIR: str({
    default: './.data',
    desc: 'Folder of the embedded database, of local files and of generated development secrets',
  }),
  DATABASE_URL: url(
    'postgres',
    'postgresql',
  )({
    default: undefined,
    docs: 'embedded PostgreSQL in DATA_DIR',
    desc: 'PostgreSQL 15 or newer',
  }),
  DATABASE_ROLE: databaseRole({
    default: undefined,
    docs: 'name of the database and `_service`',
    desc: 'Role that the service works as. If it is set, it must be usable; the default may be replaced by the login',
  }),
  MIGRATE_ON_START: bool({
    default: undefined,
    docs: 'false in production, otherwise true',
    desc: 'Whether a start migrates the database; otherwise it refuses an older one and names the command `migrate`',
  }),
  DATABASE_POOL_SIZE: positive({ default: 10, desc: 'Database connections of one instance' }),
  REDIS_URL: url(
    'redis',
    'rediss',
  )({
    default: undefined,
    docs: 'one instance only',
    desc: 'Carries socket events and rate limits across instances',
  }),
  JWT_SECRET: secrets({
    default: undefined,
    docs: 'generated into DATA_DIR in development',
    desc: 'Signs access and customer tokens; two comma-separated values rotate: the first signs, both verify',
  }),
  ENCRYPTION_KEY: secrets({
    default: undefined,
    docs: 'generated into DATA_DIR in development',
    desc: 'Encrypts secrets at rest; two comma-separated values rotate',
  }),
  ACCESS_TOKEN_TTL: positive({ default: 900, desc: 'Lifetime of an access token in seconds' }),
  REFRESH_TOKEN_TTL: positive({ default: 2_592_000, desc: 'Lifetime of a refresh token in seconds' }),
  AUTH_RATE_LIMIT: positive({
    default: 5,
    desc: 'Authentication requests a minute per client address and account',
  }),
  AUTH_ADDRESS_RATE_LIMIT: positive({
    default: 30,
    desc: 'Authentication requests a minute per client address',
  }),
  PUBLIC_RATE_LIMIT: positive({
    default: 30,
    desc: 'Requests a minute per client address of the public customer and signup endpoints',
  }),
  PAGE_RATE_LIMIT: positive({
    default: 120,
    desc: 'Pages of links and buttons of the widget a minute per client address',
  }),
  API_RATE_LIMIT: positive({ default: 3000, desc: 'Authenticated API requests a minute per user' }),
  SOCKET_RATE_LIMIT: positive({
    default: 50,
    desc: 'Socket events a second, per socket and per call or user; four times as many at once',
  }),
  TRUST_PROXY: trustedProxies({
    default: undefined,
    docs: 'none',
    desc: 'Trusted proxies, as addresses or a number of hops, whose X-Forwarded-For is used',
  }),
  CORS_ORIGINS: list({
    default: undefined,
    docs: 'PUBLIC_URL',
    desc: 'Comma-separated origins that may call the API from a browser; sites of a company may call its customer routes',
  }),
  RECONNECT_GRACE_SECONDS: positive({
    default: 60,
    desc: 'Seconds that a participant of an active call may be disconnected before the call ends',
  }),
  RING_TIMEOUT_SECONDS: positive({
    default: 60,
    desc: 'Seconds that an agent has to start an assigned call before it returns to the queue or is missed',
  }),
  QUEUE_ABSENCE_SECONDS: positive({
    default: 300,
    desc: 'Seconds that a waiting customer may have neither a socket nor polls before being removed from the queue',
  }),
  QUEUE_MAX_PER_ADDRESS: positive({
    default: undefined,
    docs: '10 in production, otherwise unlimited',
    desc: 'Waiting calls per client address and department; clients on loopback are exempt',
  }),
  MAX_UPLOAD_MB: positive({ default: 25, desc: 'Maximum size of a file of a call, in MiB' }),
  MAX_RECORDING_MB: positive({ default: 2048, desc: 'Maximum size of a recording, in MiB' }),
  STORAGE_URL: storageUrl({
    default: undefined,
    docs: 'DATA_DIR/files',
    desc: 'Storage of files and recordings: s3://bucket/prefix?region=…&endpoint=…, or file:///folder',
  }),
  AI_BASE_URL: url(
    'http',
    'https',
  )({
    default: undefined,
    docs: 'no transcripts',
    desc: 'Base URL of an OpenAI-compatible server, for example https://api.openai.com/v1',
  }),
  AI_API_KEY: str({ default: undefined, docs: 'none', desc: 'API key of the server at AI_BASE_URL' }),
  AI_TRANSCRIPTION_MODEL: str({
    default: undefined,
    docs: 'no transcripts',
    desc: 'Model that transcribes recordings',
  }),
  AI_SUMMARY_MODEL: str({
    default: undefined,
    docs: 'no summaries',
    desc: 'Model that summarizes transcripts',
  }),
  RETENTION_DOMAIN_EVENTS_DAYS: positive({
    default: 30,
    desc: 'Days until stored domain events are deleted',
  }),
  RETENTION_DELIVERIES_DAYS: positive({
    default: 30,
    desc: 'Days until webhook deliveries and their attempts are deleted',
  }),
  RETENTION_PRESENCE_DAYS: positive({
    default: 400,
    desc: 'Days until presence periods, from which online times are reported, are deleted',
  }),
  RETENTION_GATEWAY_PAYLOADS_DAYS: positive({
    default: 90,
    desc: 'Days until the payloads of payment notifications are removed; their ids and effects stay',
  }),
  RETENTION_AUDIT_DAYS: wholeNumber(MIN_AUDIT_DAYS)({
    default: undefined,
    docs: 'unlimited',
    desc: `Days until rows of the audit log are deleted, at least ${MIN_AUDIT_DAYS}`,
  }),
  TURN_URLS: list({
    default: undefined,
    docs: 'turn:<host of PUBLIC_URL>:3478 over udp and tcp',
    desc: 'Comma-separated TURN URLs sent to both participants',
  }),
  TURN_SECRET: str({
    default: undefined,
    docs: 'generated into DATA_DIR in development',
    desc: 'Shared secret of coturn (static-auth-secret)',
  }),
  TURN_TTL: positive({ default: 3600, desc: 'Lifetime of a TURN credential in seconds' }),
  TURN_OPEN: bool({
    default: undefined,
    docs: 'false in production, otherwise true',
    desc: 'Issues TURN credentials also without a token',
  }),
  ASAAS_WEBHOOK_TOKEN: str({
    default: undefined,
    docs: 'generated and printed in development, else 404',
    desc: 'Token that the Asaas payment gateway sends in asaas-access-token',
  }),
  WEBHOOK_ALLOWED_PRIVATE_HOSTS: hosts({
    default: undefined,
    docs: 'none',
    desc: 'Comma-separated hosts in private networks that tenant webhooks may call; http is allowed for them',
  }),
  SMTP_URL: smtpServer({
    default: undefined,
    docs: 'messages are written to DATA_DIR/mail',
    desc: 'SMTP server for outgoing mail: smtp:// or smtps://, with user and password if required',
  }),
  MAIL_FROM: mailbox({
    default: undefined,
    docs: 'no-reply@<host of PUBLIC_URL>',
    desc: 'Sender of mail: an address, or Name <address>',
  }),
  SIGNUP_CONFIRM_EMAIL: bool({
    default: undefined,
    docs: 'true in production, otherwise false',
    desc: 'A new company confirms its e-mail address before it can mail its customers',
  }),
  SEED_DEMO: bool({
    default: undefined,
    docs: 'true with the embedded database, otherwise false',
    desc: 'Creates a demo tenant with known credentials, once',
  }),
  METRICS_TOKEN: str({
    default: undefined,
    docs: '/metrics answers only programs on this machine',
    desc: 'Bearer token that /metrics requires',
  }),
  LOG_LEVEL: str({
    choices: ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
    default: 'info',
    desc: 'Minimum level that is logged',
  }),
  LOG_FORMAT: str({
    choices: ['pretty', 'json'],
    default: undefined,
    docs: 'pretty in a terminal, otherwise json',
    desc: 'Format of log lines',
  }),
};
