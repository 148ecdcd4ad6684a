import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Returns secrets by name for development. Each is generated once and kept in DATA_DIR/secrets, so that tokens survive a
 * restart. Never used in production.
 */
export function developmentSecrets(dataDir: string): (name: string) => string {
  const folder = join(dataDir, 'secrets');
  return (name) => {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return keptSecret(join(folder, name));
  };
}

/** The secret in the file, which is generated with mode 600 if it is missing. */
export function keptSecret(file: string): string {
  try {
    // With 'wx', exactly one of two processes that start together creates the file.
    writeFileSync(file, randomBytes(32).toString('base64url'), { mode: 0o600, flag: 'wx', flush: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return readFileSync(file, 'utf8');
}
