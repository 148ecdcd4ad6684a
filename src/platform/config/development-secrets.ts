import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Secrets for a machine where nobody set any: made once, kept in DATA_DIR/secrets with mode 600, so
 * that tokens survive a restart. Never used when NODE_ENV is production.
 */
export function developmentSecrets(dataDir: string): (name: string) => string {
  const folder = join(dataDir, 'secrets');
  return (name) => {
    const file = join(folder, name);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    try {
      // 'wx' lets exactly one of two processes starting together make the file.
      writeFileSync(file, randomBytes(32).toString('base64url'), { mode: 0o600, flag: 'wx' });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    return readFileSync(file, 'utf8');
  };
}
