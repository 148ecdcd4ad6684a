import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { namespaceName } from './host-address';
import { runCommand, runLine } from './run-command';

/** What a namespace drops: everything, only the media, but not the socket, or a third of UDP. */
export type Cut = 'everything' | 'media' | 'udp-except-relay' | 'third-of-udp';

const DROPPED: Record<Cut, (relayPort: number) => string[]> = {
  everything: () => ['drop'],
  // Over TCP, the relay carries media, too.
  media: (port) => ['meta l4proto udp drop', `tcp dport ${port} drop`, `tcp sport ${port} drop`],
  'udp-except-relay': (port) => [
    `udp dport ${port} accept`,
    `udp sport ${port} accept`,
    'meta l4proto udp drop',
  ],
  'third-of-udp': () => ['meta l4proto udp numgen random mod 3 0 drop'],
};

/** The addresses of a run's namespaces end in 10 and more. */
const FIRST_HOST_NUMBER = 10;
let count = 0;

/** A network of its own for one browser. Packets between it and this machine can be dropped, and its address changed. */
export class NetworkNamespace {
  private constructor(
    private readonly name: string,
    private readonly hostAddress: string,
    private address: string,
    private readonly folder: string,
  ) {}

  /** @param hostAddress the address by which programs in the namespace reach this machine */
  static async create(hostAddress: string): Promise<NetworkNamespace> {
    const name = namespaceName(process.pid, ++count);
    const folder = await mkdtemp(join(tmpdir(), 'video-queue-netns-'));
    const namespace = new NetworkNamespace(name, hostAddress, nextAddress(hostAddress), folder);
    try {
      await namespace.configure();
    } catch (error) {
      await namespace.remove();
      throw error;
    }
    return namespace;
  }

  /** A program that runs another one in the namespace. */
  async executable(program: string): Promise<string> {
    const path = join(this.folder, 'run-in-namespace');
    const search = 'PATH="$PATH:/usr/sbin:/sbin"';
    await writeFile(path, `#!/bin/sh\n${search} exec ip netns exec ${this.name} ${program} "$@"\n`);
    await chmod(path, 0o755);
    return path;
  }

  /** Drops packets in both directions until `heal`. */
  async cut(what: Cut, relayPort = 0): Promise<void> {
    await this.heal();
    const rules = DROPPED[what](relayPort).join('; ');
    const chain = (hook: string) => `chain ${hook} { type filter hook ${hook} priority 0; ${rules}; }`;
    await this.nft(`table inet cut { ${chain('input')}; ${chain('output')}; }`);
  }

  async heal(): Promise<void> {
    await this.nft('table inet cut {}; delete table inet cut');
  }

  /** Gives the namespace another address, as a change from Wi-Fi to mobile data does. */
  async changeAddress(): Promise<void> {
    const former = this.address;
    this.address = nextAddress(this.hostAddress);
    await runLine(`ip -n ${this.name} addr del ${former}/24 dev ${this.name}n`);
    await this.route();
    await runLine(`ip route del ${former}/32`);
  }

  async remove(): Promise<void> {
    await runLine(`ip netns del ${this.name}`).catch(() => undefined);
    // The kernel removes the device with its namespace, but later.
    await runLine(`ip link del ${this.name}h`).catch(() => undefined);
    await rm(this.folder, { recursive: true, force: true });
  }

  private async configure(): Promise<void> {
    await runLine(`ip netns add ${this.name}`);
    await runLine(`ip link add ${this.name}h type veth peer name ${this.name}n netns ${this.name}`);
    // Without an IPv6 address: it would be a change of this machine's network, at which browsers of other specs end connections
    // that are being made (ERR_NETWORK_CHANGED).
    if (existsSync('/proc/sys/net/ipv6')) await runLine(`ip link set ${this.name}h addrgenmode none`);
    await runLine(`ip link set ${this.name}h up`);
    await runLine(`ip -n ${this.name} link set lo up`);
    await runLine(`ip -n ${this.name} link set ${this.name}n up`);
    await this.route();
  }

  private async route(): Promise<void> {
    await runLine(`ip -n ${this.name} addr add ${this.address}/24 dev ${this.name}n`);
    await runLine(`ip -n ${this.name} route replace default via ${this.hostAddress}`);
    await runLine(`ip route add ${this.address}/32 dev ${this.name}h src ${this.hostAddress}`);
  }

  private async nft(ruleset: string): Promise<void> {
    await runCommand('ip', 'netns', 'exec', this.name, 'nft', ruleset);
  }
}

/** An address of the run's network that no other namespace of this process has. */
function nextAddress(hostAddress: string): string {
  const worker = Number(process.env.JEST_WORKER_ID ?? 1);
  const number = FIRST_HOST_NUMBER + addressCount++ + (worker - 1) * 60;
  return hostAddress.replace(/\.1$/, `.${number}`);
}
let addressCount = 0;
