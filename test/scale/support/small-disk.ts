import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A small disk in memory that can be filled. */
export class SmallDisk {
  readonly path = mkdtempSync(join(tmpdir(), 'video-queue-disk-'));
  private readonly filler = join(this.path, 'filler');

  private constructor() {}

  /** @returns undefined where mounting is not allowed */
  static mount(mebibytes: number): SmallDisk | undefined {
    const disk = new SmallDisk();
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m`, 'tmpfs', disk.path], {
        stdio: 'ignore',
      });
      return disk;
    } catch {
      rmdirSync(disk.path);
      return undefined;
    }
  }

  /** Leaves no free block. */
  fill(): void {
    const { bavail, bsize } = statfsSync(this.path);
    writeFileSync(this.filler, Buffer.alloc(bavail * bsize));
  }

  free(): void {
    rmSync(this.filler, { force: true });
  }

  unmount(): void {
    execFileSync('umount', ['--lazy', this.path]);
    rmdirSync(this.path);
  }
}
