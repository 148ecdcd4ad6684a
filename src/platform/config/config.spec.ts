import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Config, ConfigError, loadConfig } from './config';
import { VARIABLES } from './variables';

let dataDir: string;

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'config-'));
});

afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

const load = (environment: Record<string, string | undefined> = {}) =>
  loadConfig({ DATA_DIR: dataDir, ...environment });

const PRODUCTION = {
  NODE_ENV: 'production',
  DATABASE_URL: 'postgres://app:pw@db/calls',
  JWT_SECRET: 'j'.repeat(32),
  ENCRYPTION_KEY: 'e'.repeat(32),
  TURN_SECRET: 't'.repeat(32),
};

function failureOf(environment: Record<string, string | undefined>): string {
  try {
    load(environment);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as Error).message;
  }
  throw new Error('was accepted');
}

describe('defaults', () => {
  it('are those of the specification', () => {
    expect(load()).toMatchObject({
      production: false,
      port: 3000,
      host: '0.0.0.0',
      publicUrl: 'http://localhost:3000',
      websocketUrl: 'ws://localhost:3000/socket/websocket',
      databaseUrl: undefined,
      requestedRole: undefined,
      databasePoolSize: 10,
      redisUrl: undefined,
      accessTokenTtl: 900,
      refreshTokenTtl: 2_592_000,
      rateLimits: { auth: 5, auth_address: 30, public: 30, api: 3000 },
      socketRateLimit: 50,
      trustProxy: false,
      corsOrigins: ['http://localhost:3000'],
      reconnectGraceSeconds: 60,
      ringTimeoutSeconds: 60,
      queueAbsenceSeconds: 300,
      maxUploadBytes: 26_214_400,
      maxRecordingBytes: 2_147_483_648,
      storage: { kind: 'local', folder: join(dataDir, 'files') },
      retentionDays: {
        domainEvents: 30,
        deliveries: 30,
        presence: 400,
        gatewayPayloads: 90,
        audit: undefined,
      },
      ai: undefined,
      turnUrls: ['turn:localhost:3478?transport=udp', 'turn:localhost:3478?transport=tcp'],
      turnTtl: 3600,
      turnOpen: true,
      asaasWebhookToken: expect.stringMatching(/^[\w-]{43}$/),
      webhookAllowedPrivateHosts: [],
      smtpUrl: undefined,
      mailFrom: { name: '', address: 'no-reply@localhost' },
      mailDomain: 'localhost',
      signupConfirmEmail: false,
      seedDemo: true,
      metricsToken: undefined,
      logLevel: 'info',
    });
    expect(loadConfig({ ...PRODUCTION }).dataDir).toBe('./.data');
  });

  it('apply to empty and blank values', () => {
    const unset = load();
    for (const blank of ['', '  ']) {
      const names = Object.keys(VARIABLES).filter((name) => name !== 'DATA_DIR');
      expect(load(Object.fromEntries(names.map((name) => [name, blank])))).toEqual(unset);
    }
  });

  it('depend on PORT, PUBLIC_URL and DATABASE_URL', () => {
    expect(load({ PORT: '8080' }).publicUrl).toBe('http://localhost:8080');
    const config = load({ PUBLIC_URL: 'https://calls.example.com/', DATABASE_URL: 'postgresql://db/calls' });
    expect(config).toMatchObject({
      publicUrl: 'https://calls.example.com',
      websocketUrl: 'wss://calls.example.com/socket/websocket',
      corsOrigins: ['https://calls.example.com'],
      turnUrls: ['turn:calls.example.com:3478?transport=udp', 'turn:calls.example.com:3478?transport=tcp'],
      mailFrom: { name: '', address: 'no-reply@calls.example.com' },
      seedDemo: false,
    });
  });

  it.each([
    ['http://10.0.0.7:3000', '[10.0.0.7]'],
    ['http://[::1]:3000', '[IPv6:::1]'],
    ['https://açaí.example', 'xn--aa-4iaz.example'],
  ])('%s is %s in mail addresses', (PUBLIC_URL, mailDomain) => {
    expect(load({ PUBLIC_URL })).toMatchObject({
      mailDomain,
      mailFrom: { address: `no-reply@${mailDomain}` },
    });
  });
});

describe('values', () => {
  it.each([
    ['2', 2],
    ['loopback', ['loopback']],
    ['10.0.0.0/8, 127.0.0.1', ['10.0.0.0/8', '127.0.0.1']],
  ])('TRUST_PROXY %s', (value, trusted) => {
    expect(load({ TRUST_PROXY: value }).trustProxy).toEqual(trusted);
  });

  it('lists are comma-separated', () => {
    const config = load({ CORS_ORIGINS: 'https://a.example, https://b.example,', TURN_URLS: 'turn:x' });
    expect(config.corsOrigins).toEqual(['https://a.example', 'https://b.example']);
    expect(config.turnUrls).toEqual(['turn:x']);
  });

  it.each([
    ['support@example.com', '', 'support@example.com'],
    ['<support@localhost>', '', 'support@localhost'],
    ['Padaria do João <ola@padaria.example>', 'Padaria do João', 'ola@padaria.example'],
    ['Silva, Filhos <ola@silva.example>', 'Silva, Filhos', 'ola@silva.example'],
    ['"Silva, Filhos" <ola@silva.example>', 'Silva, Filhos', 'ola@silva.example'],
    ['no-reply@[10.0.0.7]', '', 'no-reply@[10.0.0.7]'],
  ])('MAIL_FROM %s', (value, name, address) => {
    expect(load({ MAIL_FROM: value }).mailFrom).toEqual({ name, address });
  });

  it.each([
    ['several addresses', 'a@example.com, b@example.com'],
    ['a name alone', 'Support'],
    ['one address after another', 'Support <a@example.com> <b@example.com>'],
    ['another line', 'Support <a@example.com>\nBcc: b@example.com'],
    ['no domain', 'Support <support>'],
    ['a local part that needs SMTPUTF8', 'josé@example.com'],
  ])('MAIL_FROM is not %s', (_what, value) => {
    expect(failureOf({ MAIL_FROM: value })).toMatch(/^ {2}MAIL_FROM: must be one e-mail address/m);
  });

  it.each([
    'smtp://localhost:2525',
    'smtps://user%40example.com:p%2Fw@mail.example.com',
    'smtp://u:p@[::1]:2525?requireTLS=true',
  ])('SMTP_URL %s', (value) => {
    expect(load({ SMTP_URL: value }).smtpUrl).toBe(value);
  });

  it.each(['smtp://', 'smtp:///path', 'http://mail.example.com', 'mail.example.com:25', 'smtp://a b'])(
    'SMTP_URL is not %s',
    (value) => expect(failureOf({ SMTP_URL: value })).toMatch(/^ {2}SMTP_URL: /m),
  );

  it('STORAGE_URL names a folder or a bucket', () => {
    expect(load({ STORAGE_URL: 'file:///srv/calls' }).storage).toEqual({
      kind: 'local',
      folder: '/srv/calls',
    });
    expect(load({ STORAGE_URL: 's3://key:secret@calls/a?region=sa-east-1' }).storage).toEqual({
      kind: 's3',
      s3: {
        bucket: 'calls',
        prefix: 'a/',
        region: 'sa-east-1',
        endpoint: undefined,
        path_style: false,
        credentials: { accessKeyId: 'key', secretAccessKey: 'secret' },
      },
    });
  });

  it('WEBHOOK_ALLOWED_PRIVATE_HOSTS is normalized', () => {
    const { webhookAllowedPrivateHosts } = load({
      WEBHOOK_ALLOWED_PRIVATE_HOSTS: 'Hooks.Internal., 10.0.0.7,[::1] ,FD00:0::7,',
    });
    expect(webhookAllowedPrivateHosts).toEqual(['hooks.internal', '10.0.0.7', '::1', 'fd00::7']);
  });

  it.each(['hooks:8080', 'http://hooks', '10.0.0.0/8', '*.internal', 'a b'])(
    'WEBHOOK_ALLOWED_PRIVATE_HOSTS does not accept %s',
    (value) => {
      const message = failureOf({ WEBHOOK_ALLOWED_PRIVATE_HOSTS: `hooks,${value}` });
      expect(message).toMatch(/^ {2}WEBHOOK_ALLOWED_PRIVATE_HOSTS: must be host names/m);
    },
  );

  it('RETENTION_AUDIT_DAYS is at least the age at which the database lets rows be deleted', () => {
    expect(load({ RETENTION_AUDIT_DAYS: '30' }).retentionDays.audit).toBe(30);
    expect(failureOf({ RETENTION_AUDIT_DAYS: '29' })).toMatch(/^ {2}RETENTION_AUDIT_DAYS: must be a whole/m);
  });

  it('DATABASE_ROLE is a name that PostgreSQL accepts', () => {
    expect(load({ DATABASE_ROLE: 'Calls "A"' }).requestedRole).toBe('Calls "A"');
    for (const refused of ['none', 'pg_monitor', 'é'.repeat(32)]) {
      expect(failureOf({ DATABASE_ROLE: refused })).toMatch(/^ {2}DATABASE_ROLE: must be a name/m);
    }
  });

  it('upload limits are in MiB', () => {
    const { maxUploadBytes, maxRecordingBytes } = load({ MAX_UPLOAD_MB: '1', MAX_RECORDING_MB: '3' });
    expect([maxUploadBytes, maxRecordingBytes]).toEqual([1_048_576, 3_145_728]);
  });

  it('AI_BASE_URL enables the AI server', () => {
    expect(load({ AI_API_KEY: 'key' }).ai).toBeUndefined();
    const server = { AI_BASE_URL: 'http://10.0.0.7:8000/v1/', AI_API_KEY: 'key' };
    const models = { AI_TRANSCRIPTION_MODEL: 'large', AI_SUMMARY_MODEL: 'small' };
    expect(load({ ...server, ...models }).ai).toEqual({
      baseUrl: 'http://10.0.0.7:8000/v1',
      apiKey: 'key',
      transcriptionModel: 'large',
      summaryModel: 'small',
    });
    expect(load({ ...server, AI_TRANSCRIPTION_MODEL: 'large' }).ai?.summaryModel).toBeUndefined();
  });

  it.each([
    [{ AI_TRANSCRIPTION_MODEL: 'large' }, 'AI_TRANSCRIPTION_MODEL: needs AI_BASE_URL'],
    [{ AI_TRANSCRIPTION_MODEL: 'large', AI_SUMMARY_MODEL: ' ' }, 'AI_TRANSCRIPTION_MODEL: needs AI_BASE_URL'],
    [{ AI_SUMMARY_MODEL: 'small' }, 'AI_SUMMARY_MODEL: needs AI_BASE_URL and AI_TRANSCRIPTION_MODEL'],
    [
      { AI_SUMMARY_MODEL: 'small', AI_BASE_URL: 'http://10.0.0.7/v1' },
      'AI_SUMMARY_MODEL: needs AI_TRANSCRIPTION_MODEL',
    ],
    [
      { AI_SUMMARY_MODEL: 'small', AI_BASE_URL: 'http://10.0.0.7/v1', AI_TRANSCRIPTION_MODEL: '' },
      'AI_SUMMARY_MODEL: needs AI_TRANSCRIPTION_MODEL',
    ],
  ])('%j is an incomplete configuration of the AI server', (environment, problem) => {
    expect(failureOf(environment).match(/^ {2}\w+:.*/gm)).toEqual([`  ${problem}`]);
  });

  it('JWT_SECRET accepts two secrets', () => {
    const [now, before] = ['n'.repeat(20), 'b'.repeat(20)];
    expect(load({ JWT_SECRET: `${now},${before}` }).jwtSecrets).toEqual([now, before]);
  });
});

const readGenerated = ({ asaasWebhookToken, generatedGatewayToken }: Config) => [
  asaasWebhookToken,
  generatedGatewayToken,
];

describe('development secrets', () => {
  it('are generated once and readable by their user only', () => {
    const [first, second] = [load(), load()];
    expect(first.jwtSecrets[0]).toHaveLength(43);
    expect(second.jwtSecrets).toEqual(first.jwtSecrets);
    expect(second.turnSecret).toBe(first.turnSecret);
    const all = [first.jwtSecrets[0], first.encryptionKeys[0], first.turnSecret];
    expect(new Set(all).size).toBe(3);
    const file = join(dataDir, 'secrets', 'jwt');
    expect(readFileSync(file, 'utf8')).toBe(first.jwtSecrets[0]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('include the token of the payment gateway, which is printed only if it was generated', () => {
    const generated = readGenerated(load());
    expect(generated).toEqual([
      readFileSync(join(dataDir, 'secrets', 'asaas-webhook'), 'utf8'),
      generated[0],
    ]);
    expect(readGenerated(load())).toEqual(generated);
    expect(readGenerated(load({ ASAAS_WEBHOOK_TOKEN: 'chosen' }))).toEqual(['chosen', undefined]);
    for (const environment of [PRODUCTION, { NODE_ENV: 'test' }]) {
      expect(readGenerated(load(environment))).toEqual([undefined, undefined]);
    }
  });
});

describe('production', () => {
  it('uses the given secrets and generates none', () => {
    expect(load(PRODUCTION)).toMatchObject({
      production: true,
      seedDemo: false,
      turnSecret: 't'.repeat(32),
      turnOpen: false,
      signupConfirmEmail: true,
    });
    expect(load({ ...PRODUCTION, TURN_OPEN: 'true' }).turnOpen).toBe(true);
    expect(() => statSync(join(dataDir, 'secrets'))).toThrow('ENOENT');
  });

  it('limits the waiting calls of an address, unlike development', () => {
    const limits = [load(PRODUCTION), load({})].map(({ queueMaxPerAddress }) => queueMaxPerAddress);
    expect(limits).toEqual([10, Infinity]);
  });

  it.each(['DATABASE_URL', 'JWT_SECRET', 'ENCRYPTION_KEY', 'TURN_SECRET'])('requires %s', (name) => {
    for (const value of [undefined, '']) {
      const message = failureOf({ ...PRODUCTION, [name]: value });
      expect(message.match(/^ {2}\w+:/gm)).toEqual([`  ${name}:`]);
    }
  });
});

describe('production with a short secret', () => {
  it.each([
    ['JWT_SECRET', 'j'.repeat(31)],
    ['JWT_SECRET', `${'n'.repeat(32)},${'b'.repeat(31)}`],
    ['ENCRYPTION_KEY', 'e'.repeat(31)],
    ['TURN_SECRET', 't'.repeat(31)],
    ['ASAAS_WEBHOOK_TOKEN', 'a'.repeat(31)],
    ['METRICS_TOKEN', 'm'],
  ])('is refused: %s', (name, value) => {
    const message = failureOf({ ...PRODUCTION, [name]: value });
    expect(message.match(/^ {2}\w+:.*/gm)).toEqual([
      `  ${name}: must have at least 32 bytes when NODE_ENV is production`,
    ]);
    expect(() => load({ [name]: value })).not.toThrow();
  });

  it.each(['ASAAS_WEBHOOK_TOKEN', 'METRICS_TOKEN'])('starts with 32 bytes of %s, or without it', (name) => {
    for (const value of ['x'.repeat(32), '']) {
      expect(() => load({ ...PRODUCTION, [name]: value })).not.toThrow();
    }
  });

  it('counts bytes, not characters', () => {
    expect(() => load({ ...PRODUCTION, TURN_SECRET: 'ç'.repeat(16) })).not.toThrow();
  });
});

describe('an invalid value', () => {
  const INVALID = {
    NODE_ENV: 'staging-hunter2',
    PORT: '70000',
    PUBLIC_URL: 'ftp://hunter2.example.com',
    DATABASE_URL: 'mysql://root:hunter2@db/calls',
    DATABASE_POOL_SIZE: '0',
    REDIS_URL: 'hunter2',
    JWT_SECRET: 'hunter2',
    ENCRYPTION_KEY: `${'x'.repeat(20)},hunter2`,
    ACCESS_TOKEN_TTL: '15m',
    AUTH_RATE_LIMIT: '-5',
    PUBLIC_RATE_LIMIT: '1.5',
    API_RATE_LIMIT: '1e99',
    TURN_TTL: 'NaN',
    TRUST_PROXY: 'proxy-hunter2',
    MAX_UPLOAD_MB: '0.5',
    MAX_RECORDING_MB: '2GB',
    STORAGE_URL: 's3://AKIA:hunter2@Calls',
    AI_BASE_URL: 'ftp://hunter2.example.com',
    WEBHOOK_ALLOWED_PRIVATE_HOSTS: 'hunter2:80',
    SMTP_URL: 'hunter2',
    MAIL_FROM: 'hunter2',
    SEED_DEMO: 'hunter2',
    LOG_LEVEL: 'hunter2',
    LOG_FORMAT: 'xml-hunter2',
  };

  it.each(Object.entries(INVALID))('of %s is reported without the value', (name, value) => {
    const message = failureOf({ [name]: value });
    expect(message.match(/^ {2}\w+:/gm)).toEqual([`  ${name}:`]);
    expect(message).not.toContain(value);
    expect(message).not.toContain('hunter2');
  });

  it('is reported together with all others', () => {
    const message = failureOf(INVALID);
    expect(
      message
        .match(/^ {2}\w+(?=:)/gm)
        ?.map((line) => line.trim())
        .sort(),
    ).toEqual(Object.keys(INVALID).sort());
    expect(message).not.toContain('hunter2');
  });
});
