import { isIP } from 'node:net';
import { join } from 'node:path';
import { type CleanedEnv, cleanEnv } from 'envalid';
import type { StorageAddress } from '../storage/storage-url';
import { VARIABLES } from './variables';
import { developmentSecrets } from './development-secrets';
import { fileVariable, readSecretFiles } from './secret-files';

type Environment = Record<string, string | undefined>;

/** The settings of the service: every variable of VARIABLES, with defaults resolved. */
export type Config = ReturnType<typeof resolve>;

/** Injection token of the Config object. */
export const CONFIG = Symbol('CONFIG');

/** Names every invalid or missing variable. Values are left out, since some are secrets. */
export class ConfigError extends Error {
  constructor(problems: Record<string, string>) {
    const lines = Object.entries(problems).map(([name, problem]) => `  ${name}: ${problem}`);
    super(`The configuration is invalid:\n${lines.join('\n')}\nSee docs/configuration.md.`);
    this.name = 'ConfigError';
  }
}

const REQUIRED_IN_PRODUCTION = ['DATABASE_URL', 'JWT_SECRET', 'ENCRYPTION_KEY', 'TURN_SECRET'] as const;

/**
 * Secrets that sign or encrypt, and tokens that open data or mark plans as paid. HMAC-SHA-256 and AES-256 need keys of
 * 32 bytes (RFC 7518, 3.2).
 */
const SECRETS = [
  'JWT_SECRET',
  'ENCRYPTION_KEY',
  'TURN_SECRET',
  'ASAAS_WEBHOOK_TOKEN',
  'METRICS_TOKEN',
] as const;
const MIN_SECRET_BYTES = 32;

/** Variables that have no effect without others. */
const REQUIRES: Record<string, (keyof typeof VARIABLES)[]> = {
  AI_TRANSCRIPTION_MODEL: ['AI_BASE_URL'],
  AI_SUMMARY_MODEL: ['AI_BASE_URL', 'AI_TRANSCRIPTION_MODEL'],
};

/**
 * Reads and validates the environment. An empty string counts as unset. Outside of production, missing
 * secrets are generated once and kept in DATA_DIR.
 * @throws ConfigError
 */
export function loadConfig(environment: Environment): Config {
  return resolve(parse(environment, REQUIRED_IN_PRODUCTION));
}

/** The variables that a migration needs. */
const DATABASE_VARIABLES = [
  'NODE_ENV',
  'DATA_DIR',
  'DATABASE_URL',
  fileVariable('DATABASE_URL'),
  'DATABASE_ROLE',
];

/**
 * Reads what a migration needs: neither the secrets of the service nor anything else has to be set.
 * @throws ConfigError
 */
export function loadDatabaseConfig(
  environment: Environment,
): Pick<Config, 'dataDir' | 'databaseUrl' | 'requestedRole'> {
  const given = Object.fromEntries(DATABASE_VARIABLES.map((name) => [name, environment[name]]));
  const env = parse(given, ['DATABASE_URL']);
  return { dataDir: env.DATA_DIR, databaseUrl: env.DATABASE_URL, requestedRole: env.DATABASE_ROLE };
}

/** @param required in production */
function parse(environment: Environment, required: readonly string[]): CleanedEnv<typeof VARIABLES> {
  const { given, problems } = readSecretFiles(environment);
  const cleaned = cleanEnv(given, VARIABLES, {
    reporter: ({ errors }) => {
      for (const [name, error] of Object.entries(errors)) problems[name] ??= redactValue(error, given[name]);
    },
  });
  if (given.NODE_ENV === 'production') {
    for (const name of required) {
      if (given[name] === undefined) problems[name] ??= 'is required when NODE_ENV is production';
    }
    for (const name of SECRETS) {
      if (isTooShort(cleaned[name])) {
        problems[name] ??= `must have at least ${MIN_SECRET_BYTES} bytes when NODE_ENV is production`;
      }
    }
  }
  for (const [name, needed] of Object.entries(REQUIRES)) {
    const missing = needed.filter((other) => given[other] === undefined);
    if (given[name] !== undefined && missing.length > 0) problems[name] ??= `needs ${missing.join(' and ')}`;
  }
  if (Object.keys(problems).length > 0) throw new ConfigError(problems);
  return cleaned;
}

/** Whether the secret, or one of two that rotate, is shorter than production requires. */
function isTooShort(secret: string | string[] | undefined): boolean {
  const values = secret === undefined ? [] : [secret].flat();
  return values.some((value) => Buffer.byteLength(value) < MIN_SECRET_BYTES);
}

/** Removes the value from a parser's message, so that no secret is logged. */
function redactValue(error: Error | undefined, value: string | undefined): string {
  const message = error?.message ?? 'is not valid';
  return value ? message.replaceAll(`"${value}"`, 'the value').replaceAll(value, '…') : message;
}

/** Waiting calls per client address and department in production. */
const DEFAULT_QUEUE_MAX_PER_ADDRESS = 10;

const BYTES_PER_MIB = 1024 * 1024;

function resolve(env: CleanedEnv<typeof VARIABLES>) {
  const publicUrl = env.PUBLIC_URL ?? `http://localhost:${env.PORT}`;
  const isProduction = env.NODE_ENV === 'production';
  const secret = isProduction ? () => '' : developmentSecrets(env.DATA_DIR);
  const generatedGatewayToken =
    env.NODE_ENV === 'development' && env.ASAAS_WEBHOOK_TOKEN === undefined
      ? secret('asaas-webhook')
      : undefined;
  const { hostname } = new URL(publicUrl);
  const mailDomain = mailDomainOf(hostname);
  return {
    /** Identifies this process among the instances of the installation; set when the service starts. */
    instanceId: undefined as string | undefined,
    production: isProduction,
    port: env.PORT,
    host: env.HOST,
    drainSeconds: env.DRAIN_SECONDS,
    publicUrl,
    websocketUrl: `${publicUrl.replace(/^http/, 'ws')}/socket/websocket`,
    dataDir: env.DATA_DIR,
    /** Unset for the embedded database, whose URL is set once it runs. */
    databaseUrl: env.DATABASE_URL,
    /** Unset if the service chooses the role. */
    requestedRole: env.DATABASE_ROLE,
    migrateOnStart: env.MIGRATE_ON_START ?? !isProduction,
    /** The role that queries run as; set when the database has been prepared. */
    databaseRole: 'none',
    /** Whether this process runs jobs and background tasks; operator commands leave them to the service. */
    isWorker: true,
    databasePoolSize: env.DATABASE_POOL_SIZE,
    redisUrl: env.REDIS_URL,
    jwtSecrets: env.JWT_SECRET ?? [secret('jwt')],
    encryptionKeys: env.ENCRYPTION_KEY ?? [secret('encryption')],
    accessTokenTtl: env.ACCESS_TOKEN_TTL,
    refreshTokenTtl: env.REFRESH_TOKEN_TTL,
    rateLimits: {
      auth: env.AUTH_RATE_LIMIT,
      auth_address: env.AUTH_ADDRESS_RATE_LIMIT,
      public: env.PUBLIC_RATE_LIMIT,
      page: env.PAGE_RATE_LIMIT,
      api: env.API_RATE_LIMIT,
    },
    /** Socket events a second. */
    socketRateLimit: env.SOCKET_RATE_LIMIT,
    trustProxy: env.TRUST_PROXY ?? false,
    corsOrigins: env.CORS_ORIGINS ?? [new URL(publicUrl).origin],
    reconnectGraceSeconds: env.RECONNECT_GRACE_SECONDS,
    ringTimeoutSeconds: env.RING_TIMEOUT_SECONDS,
    queueAbsenceSeconds: env.QUEUE_ABSENCE_SECONDS,
    /** Waiting calls. */
    queueMaxPerAddress:
      env.QUEUE_MAX_PER_ADDRESS ?? (isProduction ? DEFAULT_QUEUE_MAX_PER_ADDRESS : Infinity),
    maxUploadBytes: env.MAX_UPLOAD_MB * BYTES_PER_MIB,
    maxRecordingBytes: env.MAX_RECORDING_MB * BYTES_PER_MIB,
    storage: env.STORAGE_URL ?? localStorage(env.DATA_DIR),
    /** Ages after which rows are purged; undefined if they are kept without limit. */
    retentionDays: {
      domainEvents: env.RETENTION_DOMAIN_EVENTS_DAYS,
      deliveries: env.RETENTION_DELIVERIES_DAYS,
      presence: env.RETENTION_PRESENCE_DAYS,
      gatewayPayloads: env.RETENTION_GATEWAY_PAYLOADS_DAYS,
      audit: env.RETENTION_AUDIT_DAYS,
    },
    /** Unset if no AI server is configured: there are no transcripts and no summaries. */
    ai: aiConfig(env),
    turnUrls:
      env.TURN_URLS ?? ['udp', 'tcp'].map((transport) => `turn:${hostname}:3478?transport=${transport}`),
    turnSecret: env.TURN_SECRET ?? secret('turn'),
    turnTtl: env.TURN_TTL,
    turnOpen: env.TURN_OPEN ?? !isProduction,
    asaasWebhookToken: env.ASAAS_WEBHOOK_TOKEN ?? generatedGatewayToken,
    /** Printed at the start; unset unless asaasWebhookToken was generated. */
    generatedGatewayToken,
    webhookAllowedPrivateHosts: env.WEBHOOK_ALLOWED_PRIVATE_HOSTS ?? [],
    /** Unset if messages are written to DATA_DIR/mail. */
    smtpUrl: env.SMTP_URL,
    mailFrom: env.MAIL_FROM ?? { name: '', address: `no-reply@${mailDomain}` },
    /** Right-hand side of message ids. */
    mailDomain,
    signupConfirmEmail: env.SIGNUP_CONFIRM_EMAIL ?? isProduction,
    seedDemo: env.SEED_DEMO ?? env.DATABASE_URL === undefined,
    metricsToken: env.METRICS_TOKEN,
    logLevel: env.LOG_LEVEL,
    logFormat: env.LOG_FORMAT ?? (process.stdout.isTTY ? 'pretty' : 'json'),
  };
}

const localStorage = (dataDir: string): StorageAddress => ({ kind: 'local', folder: join(dataDir, 'files') });

function aiConfig(env: CleanedEnv<typeof VARIABLES>) {
  if (env.AI_BASE_URL === undefined) return undefined;
  return {
    baseUrl: env.AI_BASE_URL,
    apiKey: env.AI_API_KEY,
    transcriptionModel: env.AI_TRANSCRIPTION_MODEL,
    summaryModel: env.AI_SUMMARY_MODEL,
  };
}

/** The host as the domain of mail addresses; an IP address becomes an address literal (RFC 5321, 4.1.3). */
function mailDomainOf(hostname: string): string {
  const ip = hostname.replace(/^\[|\]$/g, '');
  const version = isIP(ip);
  return version === 0 ? hostname : `[${version === 6 ? 'IPv6:' : ''}${ip}]`;
}
