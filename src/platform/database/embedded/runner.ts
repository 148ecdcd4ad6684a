import { execFile, type SpawnOptions } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { promisify } from 'node:util';
import { REMEDY } from './remedy';

const run = promisify(execFile);

/** A way to run PostgreSQL's programs, which refuse uid 0 and users without an entry in /etc/passwd. */
export interface Runner {
  /** Wrapper programs with their arguments. They use exec, so the spawned pid is that of the wrapped program. */
  prefix: string[];
  /** The user who runs the program and owns the cluster's files; undefined for the user of this process. */
  user?: { name: string; uid: number; gid: number };
  /** Whether a wrapper program switches to `user`, rather than Node. */
  prefixSwitchesUser?: boolean;
}

/** The program, arguments and spawn options with which the runner runs `binary`. */
export function commandFor(runner: Runner, binary: string, args: string[]) {
  const [file = binary, ...rest] = [...runner.prefix, binary, ...args];
  const { PATH, TZ, LD_LIBRARY_PATH } = process.env;
  const options: SpawnOptions = {
    // That user may have no access to the current folder, and the environment contains secrets and PG… variables.
    cwd: '/',
    env: { PATH, TZ, LD_LIBRARY_PATH, LC_ALL: 'C' },
  };
  const { user, prefixSwitchesUser } = runner;
  if (user && !prefixSwitchesUser) Object.assign(options, { uid: user.uid, gid: user.gid });
  return { file, args: rest, options };
}

/**
 * The first runner that works on this machine. Each is tested: it must run the binary and enter the data folder.
 * @throws Error that says what failed and what to do instead
 */
export async function chooseRunner(postgres: string, dataDir: string): Promise<Runner> {
  const runners = await candidateRunners();
  const failures: string[] = [];
  for (const runner of runners) {
    const failure = await testRunner(runner, postgres, dataDir);
    if (failure === undefined) return runner;
    failures.push(failure);
  }
  const unusable = await testRunner({ prefix: [] }, postgres, dataDir);
  if (unusable !== undefined) {
    throw new Error(`The embedded PostgreSQL does not run here (${unusable}): ${REMEDY}.`);
  }
  const user = runners.at(-1)?.user?.name;
  throw new Error(
    `PostgreSQL refuses to run as ${user ? 'root' : 'this user'}, and no other way works on this machine ` +
      `(${failures.join('; ')}): ${REMEDY}` +
      (user
        ? `, or DATA_DIR to an existing folder that the user ${user} can reach, as it must ${postgres}.`
        : '.'),
  );
}

/** @returns why the runner does not work; undefined when it does */
async function testRunner(runner: Runner, postgres: string, dataDir: string): Promise<string | undefined> {
  const script = 'cd "$1" && exec "$2" --version';
  const { file, args, options } = commandFor(runner, '/bin/sh', ['-c', script, 'sh', dataDir, postgres]);
  try {
    const { stderr } = await run(file, args, options);
    // The binary only warns when it cannot determine its own path, but could not find its files later.
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
async function candidateRunners(): Promise<Runner[]> {
  if (!isRoot() && hasPasswdEntry()) return [{ prefix: [] }];
  const accounts = await readAccounts();
  const mapped = accounts.find(({ uid }) => uid > 0)?.uid ?? 1;
  // In a user namespace root is mapped to another user; outside of it nothing changes, file ownership included.
  const namespace = {
    prefix: ['unshare', '--user', `--map-user=${mapped}`, `--map-group=${mapped}`, '--'],
  };
  const user =
    accounts.find(({ name }) => name === 'postgres') ?? accounts.find(({ name }) => name === 'nobody');
  if (!isRoot() || !user) return [namespace];
  return [
    namespace,
    { prefix: [], user },
    { prefix: withAccessToAnyFolder(user), user, prefixSwitchesUser: true },
  ];
}

/**
 * Switches to the user but keeps the capability to enter any folder (such as /root), for containers that do not allow
 * namespaces. Without no_setuid_fixup, access(2), which PostgreSQL uses to find its files, ignores the capability.
 */
function withAccessToAnyFolder({ uid, gid }: { uid: number; gid: number }): string[] {
  const user = [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'];
  const capabilities = ['inh-caps', 'ambient-caps', 'bounding-set'].map(
    (set) => `--${set}=-all,+dac_override`,
  );
  return ['setpriv', ...user, '--securebits=+no_setuid_fixup', ...capabilities, '--'];
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
