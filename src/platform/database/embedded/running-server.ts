import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { prepareDataDir, readPassword } from './cluster';
import { isServerRunning } from './leftover-server';

/** The superuser's URL of a database on an embedded server. */
export function serverUrl(password: string, port: number, database: string): string {
  return `postgres://postgres:${password}@127.0.0.1:${port}/${encodeURIComponent(database)}`;
}

/**
 * Finds the server that a running service has started on the folder.
 * @returns the superuser's URL; undefined when no server is running or it is not ready
 */
export async function findRunningServer(dataDir: string, database: string): Promise<string | undefined> {
  const paths = await prepareDataDir(dataDir);
  const pidFile = await readFile(join(paths.clusterDir, 'postmaster.pid'), 'utf8').catch(() => '');
  // Lines of postmaster.pid: the pid is the first, the port the fourth, the status the eighth.
  const [pid, , , port, , , , status = ''] = pidFile.split('\n');
  const isReady = status.trim() === 'ready' && (await isServerRunning(Number(pid), paths.clusterDir));
  return isReady ? serverUrl(await readPassword(paths), Number(port), database) : undefined;
}
