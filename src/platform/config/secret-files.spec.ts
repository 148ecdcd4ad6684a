import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Config, loadConfig, loadDatabaseConfig } from './config';
import { exportSdkSecrets, FILE_VARIABLES } from './secret-files';

type Environment = Record<string, string | undefined>;

const REQUIRED: Environment = {
  NODE_ENV: 'production',
  DATABASE_URL: 'postgres://app:pw@db/calls',
  JWT_SECRET: 'j'.repeat(32),
  ENCRYPTION_KEY: 'e'.repeat(32),
  TURN_SECRET: 't'.repeat(32),
};

let dataDir: string;

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'config-'));
});

afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

const load = (environment: Environment = {}) => loadConfig({ DATA_DIR: dataDir, ...environment });

function failureOf(environment: Environment): string {
  try {
    load(environment);
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('was accepted');
}

function fileOf(content: string): string {
  const path = join(dataDir, 'secret');
  writeFileSync(path, content);
  return path;
}

const problemsOf = (message: string) => message.match(/^ {2}\w+:.*/gm);

describe('a secret in a file', () => {
  it('is set for OpenTelemetry, which reads the environment itself', () => {
    const OTEL_EXPORTER_OTLP_HEADERS_FILE = fileOf('api-key=of-the-collector\n');
    const environment: Environment = {
      OTEL_EXPORTER_OTLP_HEADERS_FILE,
      TURN_SECRET_FILE: OTEL_EXPORTER_OTLP_HEADERS_FILE,
    };
    exportSdkSecrets(environment);
    expect(environment.OTEL_EXPORTER_OTLP_HEADERS).toBe('api-key=of-the-collector');
    expect(Object.keys(environment)).not.toContain('TURN_SECRET');
    const unset: Environment = {};
    exportSdkSecrets(unset);
    expect(unset).toEqual({});
  });

  it('is read without its last line break', () => {
    const values: [string, keyof Config, unknown][] = [
      ['DATABASE_URL', 'databaseUrl', 'postgres://app:pw@db/calls'],
      ['REDIS_URL', 'redisUrl', 'redis://:pw@redis:6379'],
      ['TURN_SECRET', 'turnSecret', ' spaces stay '],
      ['ASAAS_WEBHOOK_TOKEN', 'asaasWebhookToken', 'token of Asaas'],
      ['METRICS_TOKEN', 'metricsToken', 'two\nlines'],
      ['SMTP_URL', 'smtpUrl', 'smtp://user:pw@mail.example.com'],
    ];
    for (const [name, setting, value] of values) {
      for (const end of ['', '\n', '\r\n']) {
        expect(load({ [`${name}_FILE`]: fileOf(`${String(value)}${end}`) })[setting]).toBe(value);
      }
    }
    expect(load({ TURN_SECRET_FILE: fileOf('one is dropped\n\n') }).turnSecret).toBe('one is dropped\n');
  });

  it('may be any secret, also one of two that rotate', () => {
    const secrets = `${'n'.repeat(32)},${'o'.repeat(32)}`;
    expect(load({ JWT_SECRET_FILE: fileOf(secrets) }).jwtSecrets).toEqual(secrets.split(','));
    expect(load({ ENCRYPTION_KEY_FILE: fileOf(secrets) }).encryptionKeys).toEqual(secrets.split(','));
    expect(load({ STORAGE_URL_FILE: fileOf('file:///srv/calls\n') }).storage).toMatchObject({
      kind: 'local',
    });
    const ai = { AI_BASE_URL: 'https://ai.example', AI_API_KEY_FILE: fileOf('key\n') };
    expect(load(ai).ai?.apiKey).toBe('key');
  });

  it('is all that a migration needs, besides others that it does not read', () => {
    const DATABASE_URL_FILE = fileOf('postgres://owner:pw@db/calls\n');
    const environment = { NODE_ENV: 'production', DATABASE_URL_FILE, JWT_SECRET_FILE: '/nowhere' };
    expect(loadDatabaseConfig(environment).databaseUrl).toBe('postgres://owner:pw@db/calls');
  });

  it('counts as set in production, with its length', () => {
    const { JWT_SECRET, ...others } = REQUIRED;
    expect(load({ ...others, JWT_SECRET_FILE: fileOf(`${JWT_SECRET}\n`) }).jwtSecrets).toEqual([JWT_SECRET]);
    // The line break does not count.
    const short = { ...others, JWT_SECRET_FILE: fileOf(`${'j'.repeat(31)}\n`) };
    expect(problemsOf(failureOf(short))).toEqual([
      '  JWT_SECRET: must have at least 32 bytes when NODE_ENV is production',
    ]);
  });

  it.each(FILE_VARIABLES)('is not read if the variable for %s is blank', (name) => {
    for (const blank of ['', ' ']) expect(load({ [`${name}_FILE`]: blank })).toEqual(load());
  });

  it.each([
    ['is missing', () => join(dataDir, 'hunter2'), '(ENOENT)'],
    ['is a folder', () => dataDir, '(EISDIR)'],
    ['is empty', () => fileOf(''), '(it is empty)'],
    ['has one line break', () => fileOf('\n'), '(it is empty)'],
  ])('that %s is reported without the path', (_what, path, reason) => {
    for (const environment of [{}, REQUIRED]) {
      const message = failureOf({
        ...environment,
        JWT_SECRET: undefined,
        JWT_SECRET_FILE: path(),
      });
      expect(problemsOf(message)).toEqual([
        `  JWT_SECRET: cannot be read from the file of JWT_SECRET_FILE ${reason}`,
      ]);
      expect(message).not.toContain(dataDir);
    }
  });

  it('is refused beside the variable itself', () => {
    const both = { TURN_SECRET: 'hunter2-a', TURN_SECRET_FILE: fileOf('hunter2-b') };
    const message = failureOf(both);
    expect(problemsOf(message)).toEqual(['  TURN_SECRET: must not be set together with TURN_SECRET_FILE']);
    expect(message).not.toContain('hunter2');
  });

  it('that is invalid is reported without its content', () => {
    const message = failureOf({ DATABASE_URL_FILE: fileOf('mysql://root:hunter2@db\n') });
    expect(problemsOf(message)?.map((line) => line.trim().split(':')[0])).toEqual(['DATABASE_URL']);
    expect(message).not.toContain('hunter2');
  });
});
