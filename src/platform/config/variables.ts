import { isIP } from 'node:net';
import { isEmail } from 'class-validator';
import { bool, host, makeValidator, port, str } from 'envalid';
import addressparser from 'nodemailer/lib/addressparser';
import { normalizeHost } from '../outbound/normalize-host';
import { parseStorageUrl } from '../storage/storage-url';

/** A whole number of at least `minimum`. */
function wholeNumber(minimum: number) {
  return makeValidator<number>((input) => {
    const value = Number(input);
    if (!Number.isSafeInteger(value) || value < minimum) {
      throw new Error(`must be a whole number of at least ${minimum}`);
    }
    return value;
  });
}

/** Comma-separated values; blanks around them and empty ones are dropped. */
const list = makeValidator<string[]>((input) =>
  input
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== ''),
);

/** An absolute address with one of the given schemes. */
function address(...schemes: string[]) {
  return makeValidator<string>((input) => {
    const url = URL.parse(input);
    if (!url || !schemes.includes(url.protocol.replace(':', ''))) {
      throw new Error(`must be an address that starts with ${schemes.map((s) => `${s}://`).join(' or ')}`);
    }
    return input.replace(/\/+$/, '');
  });
}

/** An SMTP server; user and password may stand in its address, options of nodemailer as its query. */
const smtpServer = makeValidator<string>((input) => {
  const url = URL.parse(input);
  const named = /^([\w.-]+|\[[\da-f:.]+\])$/i.test(url?.hostname ?? '');
  if (!url || !['smtp:', 'smtps:'].includes(url.protocol) || !named) {
    throw new Error('must be an address that starts with smtp:// or smtps:// and names a host');
  }
  return input;
});

/** One mailbox as RFC 5322 writes it: an address, or a name before an address in angle brackets. */
const mailbox = makeValidator<{ name: string; address: string }>((input) => {
  const [only, ...others] = addressparser(input, { flatten: true });
  const rules = { require_tld: false, allow_ip_domain: true, allow_utf8_local_part: false };
  const isOne = only !== undefined && others.length === 0 && !only.name.includes('@');
  if (!isOne || /\p{Cc}/u.test(input) || !isEmail(only.address, rules)) {
    throw new Error('must be one e-mail address, or Name <address>');
  }
  return { name: only.name, address: only.address };
});

/** Signing secrets: one or two comma-separated values of at least 16 characters, the first one signs. */
const secrets = makeValidator<string[]>((input) => {
  const values = input.split(',').map((item) => item.trim());
  if (values.length > 2 || values.some((value) => value.length < 16)) {
    throw new Error('must be one value, or two separated by a comma, of at least 16 characters each');
  }
  return values;
});

/** Express's `trust proxy`: how many hops, or which addresses, networks and named ranges. */
const proxies = makeValidator<number | string[]>((input) => {
  if (/^\d+$/.test(input.trim())) return Number(input);
  const items = input.split(',').map((item) => item.trim());
  if (!items.every(isNetwork)) {
    throw new Error('must be a number of hops, or addresses, networks, loopback, linklocal or uniquelocal');
  }
  return items;
});

function isNetwork(item: string): boolean {
  const [address = '', bits, ...rest] = item.split('/');
  const isRange = ['loopback', 'linklocal', 'uniquelocal'].includes(item);
  const mask = bits === undefined || (/^\d+$/.test(bits) && Number(bits) <= (isIP(address) === 6 ? 128 : 32));
  return isRange || (isIP(address) > 0 && mask && rest.length === 0);
}

/** Comma-separated host names and IP addresses, in the one spelling that hosts are compared in. */
const hosts = makeValidator<string[]>((input) => {
  const items = input.split(',').map((item) => item.trim());
  return items
    .filter((item) => item !== '')
    .map((item) => {
      const name = normalizeHost(item);
      if (name === undefined) throw new Error('must be host names or IP addresses, without ports');
      return name;
    });
});

const storage = makeValidator(parseStorageUrl);

const positive = wholeNumber(1);

/**
 * Every environment variable of the service: its parser, its default and what it is for.
 * `docs/configuration.md` is checked against this table by a test.
 */
export const VARIABLES = {
  NODE_ENV: str({
    choices: ['development', 'test', 'production'],
    default: 'development',
    desc: '`production` demands explicit secrets and DATABASE_URL',
  }),
  PORT: port({ default: 3000, desc: 'Port to listen on' }),
  HOST: host({ default: '0.0.0.0', desc: 'Address to listen on' }),
  PUBLIC_URL: address(
    'http',
    'https',
  )({
    default: undefined,
    docs: 'http://localhost:PORT',
    desc: 'Base of links and of websocket_url; ws or wss follows http or https',
  }),
  DATA_DIR: str({
    default: './.data',
    desc: 'Folder of the embedded database, of local files and of generated development secrets',
  }),
  DATABASE_URL: address(
    'postgres',
    'postgresql',
  )({
    default: undefined,
    docs: 'embedded PostgreSQL in DATA_DIR',
    desc: 'PostgreSQL 15 or newer',
  }),
  DATABASE_POOL_SIZE: positive({ default: 10, desc: 'Database connections of one instance' }),
  REDIS_URL: address(
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
  ACCESS_TOKEN_TTL: positive({ default: 900, desc: 'Seconds an access token is good for' }),
  REFRESH_TOKEN_TTL: positive({ default: 2_592_000, desc: 'Seconds a refresh token is good for' }),
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
  API_RATE_LIMIT: positive({ default: 3000, desc: 'Authenticated API requests a minute per user' }),
  TRUST_PROXY: proxies({
    default: undefined,
    docs: 'none',
    desc: 'Addresses, or the number of hops, whose X-Forwarded-For is believed',
  }),
  CORS_ORIGINS: list({
    default: undefined,
    docs: 'PUBLIC_URL',
    desc: 'Comma-separated origins that may call the API from a browser',
  }),
  RECONNECT_GRACE_SECONDS: positive({
    default: 60,
    desc: 'How long a participant of an active call may be gone before the call ends',
  }),
  RING_TIMEOUT_SECONDS: positive({
    default: 60,
    desc: 'How long an assigned call waits for its agent to start it before it is missed',
  }),
  QUEUE_ABSENCE_SECONDS: positive({
    default: 60,
    desc: 'How long a waiting customer may be gone, with neither socket nor poll, before leaving the queue',
  }),
  MAX_UPLOAD_MB: positive({ default: 25, desc: 'Largest file of a call, in MiB' }),
  MAX_RECORDING_MB: positive({ default: 2048, desc: 'Largest recording, in MiB' }),
  STORAGE_URL: storage({
    default: undefined,
    docs: 'DATA_DIR/files',
    desc: 'Where files and recordings lie: s3://bucket/prefix?region=…&endpoint=…, or file:///folder',
  }),
  AI_BASE_URL: address(
    'http',
    'https',
  )({
    default: undefined,
    docs: 'no transcripts',
    desc: 'Base address of an OpenAI-compatible server, for example https://api.openai.com/v1',
  }),
  AI_API_KEY: str({ default: undefined, docs: 'none', desc: 'Key that AI_BASE_URL asks for' }),
  AI_TRANSCRIPTION_MODEL: str({
    default: undefined,
    docs: 'no transcripts',
    desc: 'Model that turns recordings into text',
  }),
  AI_SUMMARY_MODEL: str({
    default: undefined,
    docs: 'no summaries',
    desc: 'Model that sums up transcripts',
  }),
  TURN_URLS: list({
    default: undefined,
    docs: 'turn:<host of PUBLIC_URL>:3478 over udp and tcp',
    desc: 'Comma-separated TURN addresses given to both participants',
  }),
  TURN_SECRET: str({
    default: undefined,
    docs: 'generated into DATA_DIR in development',
    desc: 'Shared secret of coturn (static-auth-secret)',
  }),
  TURN_TTL: positive({ default: 3600, desc: 'Seconds a TURN credential is good for' }),
  ASAAS_WEBHOOK_TOKEN: str({
    default: undefined,
    docs: 'the endpoint answers 404',
    desc: 'Token that the Asaas payment gateway sends in asaas-access-token',
  }),
  WEBHOOK_ALLOWED_PRIVATE_HOSTS: hosts({
    default: undefined,
    docs: 'none',
    desc: 'Comma-separated hosts inside private networks that tenant webhooks may reach; http is allowed for them',
  }),
  SMTP_URL: smtpServer({
    default: undefined,
    docs: 'messages are written to DATA_DIR/mail',
    desc: 'Server that mail is sent over: smtp:// or smtps://, with user and password if it asks for them',
  }),
  MAIL_FROM: mailbox({
    default: undefined,
    docs: 'no-reply@<host of PUBLIC_URL>',
    desc: 'Sender of mail: an address, or Name <address>',
  }),
  SEED_DEMO: bool({
    default: undefined,
    docs: 'true with the embedded database, else false',
    desc: 'Makes a demo tenant with known credentials, once',
  }),
  METRICS_TOKEN: str({
    default: undefined,
    docs: '/metrics answers loopback only',
    desc: 'Bearer token that /metrics demands',
  }),
  LOG_LEVEL: str({
    choices: ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
    default: 'info',
    desc: 'Least severe level that is logged',
  }),
  LOG_FORMAT: str({
    choices: ['pretty', 'json'],
    default: undefined,
    docs: 'pretty in a terminal, json elsewhere',
    desc: 'Form of the log lines',
  }),
};
