import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { acceptsConnections } from './accepts-connections';
import { freePort } from '../free-port';
import { until } from '../until';

/** Debian has some of them in /usr/sbin, which is not on the PATH of every user. */
const PATH = `${process.env.PATH}${delimiter}/usr/sbin`;

/** How a proxy is started with the configuration that an operator copies. */
export interface ProxyProgram {
  /** The name of the program, which is that of Debian's package, too. */
  program: string;
  /**
   * The files of its configuration by their names, the first of which is the main one.
   * @param port on which it serves HTTPS
   * @param folder where the files are, and which it may write to
   */
  files(port: number, folder: string): Promise<Record<string, string>>;
  /** @param file the path of the main one of its files */
  flags(file: string, folder: string): string[];
}

/** Whether the program is installed. Where CI=true it must be. */
export function hasProxy({ program }: Pick<ProxyProgram, 'program'>): boolean {
  const isInstalled = PATH.split(delimiter).some((folder) => existsSync(join(folder, program)));
  if (!isInstalled && process.env.CI === 'true') throw new Error(`There is no ${program}.`);
  if (!isInstalled) process.stderr.write(`NOTICE: there is no ${program}, so its tests did not run.\n`);
  return isInstalled;
}

/** A real proxy server on free ports of loopback. */
export class ProxyProcess {
  private constructor(
    /** Where it serves HTTPS. */
    readonly port: number,
    private readonly child: ChildProcess,
    private readonly folder: string,
  ) {}

  /** Starts it and waits until it listens. @throws Error with its output if it ends before */
  static async start({ program, files, flags }: ProxyProgram): Promise<ProxyProcess> {
    const port = await freePort();
    const folder = mkdtempSync(join(tmpdir(), 'video-queue-proxy-'));
    const contents = await files(port, folder);
    for (const [name, content] of Object.entries(contents)) writeFileSync(join(folder, name), content);
    const [main = ''] = Object.keys(contents);
    const child = spawn(program, flags(join(folder, main), folder), {
      // Caddy keeps its state in the home folder of its user.
      env: { PATH, HOME: folder },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => (output = (output + chunk.toString()).slice(-8000)));
    }
    await until(
      () => {
        if (child.exitCode !== null) throw new Error(`${program} has ended: ${output}`);
        return acceptsConnections(port);
      },
      () => `${program} does not listen: ${output}`,
    );
    return new ProxyProcess(port, child, folder);
  }

  async stop(): Promise<void> {
    if (this.child.exitCode === null) {
      const ended = once(this.child, 'exit');
      // nginx's SIGTERM, and that of the others, stop the processes of its workers, too.
      this.child.kill('SIGTERM');
      await ended;
    }
    rmSync(this.folder, { recursive: true, force: true });
  }
}
