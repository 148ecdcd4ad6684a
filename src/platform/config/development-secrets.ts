import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Returns secrets by name for development. Each is generated once and kept in DATA_DIR/secrets with mode
 * 600, so that tokens survive a restart. Never used in production.
 */
export function developmentSecrets(dataDir: string): (name: string) => string {
  const folder = join(dataDir, 'secrets');
  return (name) => {
    const file = join(folder, name);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    try {
      // With 'wx', exactly one of two processes that start together creates the file.
      writeFileSync(file, randomBytes(32).toString('base64url'), { mode: 0o600, flag: 'wx' });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    return readFileSync(file, 'utf8');
  };
}
