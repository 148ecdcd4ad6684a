import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '../../support/until';

/**
 * A screen and a sound card without hardware. Firefox shares a screen only if it has one, and its AudioContext, which mixes
 * recordings, starts only with a sound card; WebKitGTK's MiniBrowser needs a screen for its window.
 */
export class VirtualDesktop {
  private constructor(
    private readonly children: ChildProcess[],
    private readonly folder: string,
    /** For programs that run on it. */
    readonly env: Record<string, string>,
  ) {}

  static async start(): Promise<VirtualDesktop> {
    const folder = mkdtempSync(join(tmpdir(), 'video-queue-desktop-'));
    const xvfb = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1280x1024x24', '-nolisten', 'tcp'], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    });
    const socket = join(folder, 'pulse');
    const pulse = spawn(
      'pulseaudio',
      [
        '-n',
        '--daemonize=no',
        '--use-pid-file=no',
        '--exit-idle-time=-1',
        '--disable-shm=yes',
        '-L',
        'module-null-sink',
        '-L',
        `module-native-protocol-unix auth-anonymous=1 socket=${socket}`,
      ],
      { stdio: 'ignore', env: { ...process.env, HOME: folder, XDG_RUNTIME_DIR: folder } },
    );
    const children = [xvfb, pulse];
    const failures: string[] = [];
    for (const child of children) child.on('error', ({ message }) => failures.push(message));
    let display = '';
    const numbers = xvfb.stdio[3];
    if (numbers && 'on' in numbers) numbers.on('data', (chunk: Buffer) => (display += chunk.toString()));
    await until(
      () => {
        if (failures.length > 0) throw new Error(`Xvfb and pulseaudio are needed: ${failures.join(', ')}`);
        return display.endsWith('\n') && existsSync(socket);
      },
      () => 'the virtual screen or sound card did not start',
    );
    const env = { DISPLAY: `:${display.trim()}`, PULSE_SERVER: `unix:${socket}` };
    return new VirtualDesktop(children, folder, env);
  }

  async stop(): Promise<void> {
    for (const child of this.children) await endProcess(child);
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Ends a process that has not ended by itself, and waits for its end. */
export async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}
