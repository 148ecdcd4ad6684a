import { execFile } from 'node:child_process';
import { userInfo } from 'node:os';
import { promisify } from 'node:util';

/** A user of every system. PostgreSQL refuses uid 0, and users without an entry in /etc/passwd. */
const NOBODY = 65_534;

/** A way to run PostgreSQL's programs: a command that runs the program of its last arguments, in place of itself. */
export interface OrdinaryUser {
  prefix: string[];
  /** The owner of the files of such a program, seen from outside. */
  uid: number | undefined;
}

/** In a user namespace this is the user `nobody`; outside of it nothing changes, file ownership included. */
const namespace: OrdinaryUser = {
  prefix: ['unshare', '--user', `--map-user=${NOBODY}`, `--map-group=${NOBODY}`, '--'],
  uid: process.getuid?.(),
};
/**
 * For containers that do not allow namespaces: the user `nobody`, with the capability to enter any folder, such as /root. Without
 * no_setuid_fixup, access(2), which PostgreSQL uses to find its files, ignores the capability.
 */
const switched: OrdinaryUser = {
  prefix: [
    'setpriv',
    `--reuid=${NOBODY}`,
    `--regid=${NOBODY}`,
    '--clear-groups',
    '--securebits=+no_setuid_fixup',
    ...['inh-caps', 'ambient-caps', 'bounding-set'].map((set) => `--${set}=-all,+dac_override`),
    '--',
  ],
  uid: NOBODY,
};

/**
 * The first way that works on this machine and can read the folder; root and users without a name need one.
 * @throws Error that says what failed
 */
export async function ordinaryUser(folder: string): Promise<OrdinaryUser> {
  const isRoot = process.getuid?.() === 0;
  if (!isRoot && hasName()) return { prefix: [], uid: process.getuid?.() };
  const failures: string[] = [];
  for (const way of isRoot ? [namespace, switched] : [namespace]) {
    const [file, ...args] = [...way.prefix, 'ls', folder];
    try {
      await promisify(execFile)(file, args);
      return way;
    } catch (error) {
      failures.push((error as Error).message.trim().replaceAll('\n', ' '));
    }
  }
  throw new Error(
    `PostgreSQL refuses to run as ${isRoot ? 'root' : 'a user without a name'}, and no other way works on this ` +
      `machine (${failures.join('; ')}): set DATABASE_URL to a PostgreSQL 15 or newer`,
  );
}

function hasName(): boolean {
  try {
    return userInfo().username !== '';
  } catch {
    return false;
  }
}
