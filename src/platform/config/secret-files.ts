import { readFileSync } from 'node:fs';

type Environment = Record<string, string | undefined>;

/** Secrets that OpenTelemetry's SDK reads from the environment itself: the headers can have the key of a collector. */
const SDK_VARIABLES = ['OTEL_EXPORTER_OTLP_HEADERS', 'OTEL_EXPORTER_OTLP_TRACES_HEADERS'] as const;

/** Variables that are secrets, or URLs that can contain one. Each can be read from a file instead. */
export const FILE_VARIABLES = [
  'DATABASE_URL',
  'REDIS_URL',
  'JWT_SECRET',
  'ENCRYPTION_KEY',
  'STORAGE_URL',
  'AI_API_KEY',
  'TURN_SECRET',
  'ASAAS_WEBHOOK_TOKEN',
  'SMTP_URL',
  'METRICS_TOKEN',
  ...SDK_VARIABLES,
] as const;

export const fileVariable = (name: string): string => `${name}_FILE`;

/** Whether a variable has a value; a blank one counts as unset. */
export const isSet = (value: string | undefined): value is string =>
  value !== undefined && value.trim() !== '';

/**
 * Replaces variables such as JWT_SECRET_FILE by the contents of the file that they name, as Docker and Kubernetes mount
 * secrets. One line break at the end of the file is dropped.
 * @returns the environment, and the problems by the name of the variable that could not be read
 */
export function readSecretFiles(environment: Environment): {
  given: Record<string, string>;
  problems: Record<string, string>;
} {
  const given = Object.fromEntries(
    Object.entries(environment).filter((entry): entry is [string, string] => isSet(entry[1])),
  );
  const problems: Record<string, string> = {};
  for (const name of FILE_VARIABLES) {
    const path = given[fileVariable(name)];
    if (path === undefined) continue;
    if (given[name] !== undefined) {
      problems[name] = `must not be set together with ${fileVariable(name)}`;
      continue;
    }
    try {
      given[name] = readSecret(path);
    } catch (error) {
      // Not the path: the secret itself may have been given by mistake.
      const reason = (error as NodeJS.ErrnoException).code ?? (error as Error).message;
      problems[name] = `cannot be read from the file of ${fileVariable(name)} (${reason})`;
    }
  }
  return { given, problems };
}

/** Sets what OpenTelemetry's SDK reads from the environment and the operator has given in a file. */
export function exportSdkSecrets(environment: Environment): void {
  const { given } = readSecretFiles(environment);
  for (const name of SDK_VARIABLES) if (given[name] !== undefined) environment[name] = given[name];
}

function readSecret(path: string): string {
  const secret = readFileSync(path, 'utf8').replace(/\r?\n$/, '');
  if (!isSet(secret)) throw new Error('it is empty');
  return secret;
}
