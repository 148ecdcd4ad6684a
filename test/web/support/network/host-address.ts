import { runLine } from './run-command';

/** A private network of which each run takes the part 10.77.<number>.0/24. */
const NETWORK = '10.77';
const MAX_RUNS = 250;
const LABEL = 'lo:vq';
const LABELLED = /inet (10\.77\.\d+\.1)\/32 scope \w+ lo:vq(\d+)/g;

/**
 * Gives this machine an address that both its own browsers and those in network namespaces reach. Its label names this
 * process, so that a later run can remove it if this one is killed.
 * @returns the address, or the reason why this machine does not allow it
 */
export async function addHostAddress(): Promise<{ address: string } | { refusal: string }> {
  try {
    await removeLeftovers();
    const name = namespaceName(process.pid, 'probe');
    await runLine(`ip netns add ${name}`);
    try {
      await runLine(`ip netns exec ${name} nft list ruleset`);
    } finally {
      await runLine(`ip netns del ${name}`);
    }
    return { address: await addFreeAddress() };
  } catch (error) {
    return { refusal: String((error as { stderr?: string }).stderr || error).trim() };
  }
}

export async function removeHostAddress(address: string): Promise<void> {
  await runLine(`ip addr del ${address}/32 dev lo`);
}

/** The name contains the process id for `removeLeftovers`. Names of network devices have at most 15 characters. */
export const namespaceName = (pid: number, suffix: string | number) => `vq${pid}-${suffix}`;

async function addFreeAddress(): Promise<string> {
  for (let attempt = 0; ; attempt++) {
    const address = `${NETWORK}.${(process.pid + attempt) % MAX_RUNS}.1`;
    try {
      await runLine(`ip addr add ${address}/32 dev lo label ${LABEL}${process.pid}`);
      return address;
    } catch (error) {
      if (attempt >= MAX_RUNS) throw error;
    }
  }
}

/** Removes the addresses and namespaces of killed runs. */
async function removeLeftovers(): Promise<void> {
  for (const [, address = '', pid] of (await runLine('ip -o -4 addr show dev lo')).matchAll(LABELLED)) {
    if (!isRunning(Number(pid))) await removeHostAddress(address);
  }
  for (const [name, pid] of (await runLine('ip netns list')).matchAll(/^vq(\d+)-\w+/gm)) {
    if (!isRunning(Number(pid))) await runLine(`ip netns del ${name}`);
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
