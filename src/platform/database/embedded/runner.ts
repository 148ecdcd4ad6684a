import { execFile, type SpawnOptions } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { promisify } from 'node:util';
import { REMEDY } from './remedy';

const run = promisify(execFile);

/** A way to run PostgreSQL's programs that they accept: they refuse uid 0 and users without a passwd entry. */
export interface Runner {
  /** Programs that run the actual one, with their arguments. They end in exec, so its pid is the spawned one. */
  prefix: string[];
  /** The user to start as and to whom the cluster's files belong; undefined for this process's own. */
  user?: { name: string; uid: number; gid: number };
  /** Whether the prefix changes to `user`, rather than Node. */
  prefixSwitches?: boolean;
}

/** The program, arguments and spawn options that run `binary` by way of the runner. */
export function commandFor(runner: Runner, binary: string, args: string[]) {
  const [file = binary, ...rest] = [...runner.prefix, binary, ...args];
  const { PATH, TZ, LD_LIBRARY_PATH } = process.env;
  const options: SpawnOptions = {
    // The current folder may be out of that user's reach, and the environment holds secrets and PG… variables.
    cwd: '/',
    env: { PATH, TZ, LD_LIBRARY_PATH, LC_ALL: 'C' },
  };
  const { user, prefixSwitches } = runner;
  if (user && !prefixSwitches) Object.assign(options, { uid: user.uid, gid: user.gid });
  return { file, args: rest, options };
}

/**
 * The first way that works here, tried for real: it must both run the binary and enter the data folder.
 * @throws Error saying what was refused and what to do instead
 */
export async function chooseRunner(postgres: string, dataDir: string): Promise<Runner> {
  const runners = await candidates();
  const refusals: string[] = [];
  for (const runner of runners) {
    const refusal = await tryOut(runner, postgres, dataDir);
    if (refusal === undefined) return runner;
    refusals.push(refusal);
  }
  const broken = await tryOut({ prefix: [] }, postgres, dataDir);
  if (broken !== undefined) {
    throw new Error(`The embedded PostgreSQL does not run here (${broken}): ${REMEDY}.`);
  }
  const user = runners.at(-1)?.user?.name;
  throw new Error(
    `PostgreSQL refuses to run as ${user ? 'root' : 'this user'}, and no other way works here ` +
      `(${refusals.join('; ')}): ${REMEDY}` +
      (user
        ? `, or DATA_DIR to an existing folder that the user ${user} can reach, as it must ${postgres}.`
        : '.'),
  );
}

/** Resolves to what was refused, or to undefined when all went well. */
async function tryOut(runner: Runner, postgres: string, dataDir: string): Promise<string | undefined> {
  const script = 'cd "$1" && exec "$2" --version';
  const { file, args, options } = commandFor(runner, '/bin/sh', ['-c', script, 'sh', dataDir, postgres]);
  try {
    const { stderr } = await run(file, args, options);
    // The binary only warns when it cannot find its own place, but would later find none of its files.
    return stderr.includes('invalid binary') ? stderr.trim() : undefined;
  } catch (error) {
    const { stderr, code, message } = error as Error & { stderr?: string; code?: unknown };
    return stderr?.trim() || (typeof code === 'number' ? `${file} ended with code ${code}` : message);
  }
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/** In order of preference. */
async function candidates(): Promise<Runner[]> {
  if (!isRoot() && hasPasswdEntry()) return [{ prefix: [] }];
  const accounts = await readAccounts();
  const mapped = accounts.find(({ uid }) => uid > 0)?.uid ?? 1;
  // Inside the namespace root is somebody else, outside nothing changes: no new user, no change of ownership.
  const namespace = {
    prefix: ['unshare', '--user', `--map-user=${mapped}`, `--map-group=${mapped}`, '--'],
  };
  const user =
    accounts.find(({ name }) => name === 'postgres') ?? accounts.find(({ name }) => name === 'nobody');
  if (!isRoot() || !user) return [namespace];
  return [namespace, { prefix: [], user }, { prefix: reachingAnyFolder(user), user, prefixSwitches: true }];
}

/**
 * Becomes the user but keeps root's one right to pass closed folders (such as /root), where a container allows no
 * namespaces. Without no_setuid_fixup access(2), with which PostgreSQL looks for its files, ignores that right.
 */
function reachingAnyFolder({ uid, gid }: { uid: number; gid: number }): string[] {
  const user = [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'];
  const rights = ['inh-caps', 'ambient-caps', 'bounding-set'].map((set) => `--${set}=-all,+dac_override`);
  return ['setpriv', ...user, '--securebits=+no_setuid_fixup', ...rights, '--'];
}

function hasPasswdEntry(): boolean {
  try {
    return userInfo().username !== '';
  } catch {
    return false;
  }
}

async function readAccounts(): Promise<{ name: string; uid: number; gid: number }[]> {
  const passwd = await readFile('/etc/passwd', 'utf8').catch(() => '');
  return passwd
    .split('\n')
    .map((line) => line.split(':'))
    .filter((fields) => fields.length > 3)
    .map(([name = '', , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }));
}
