import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Inject, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { CONFIG, type Config } from '../platform/config/config';
import { processStartTime } from './process-start-time';

/**
 * Temporary folders for copies of recordings. They are in DATA_DIR, since no other folder has to be writable. The name
 * of each begins with the process that owns it, so that the folders of killed processes can be removed.
 */
@Injectable()
export class SpoolFolder implements OnApplicationBootstrap {
  private readonly logger = new Logger(SpoolFolder.name);
  private readonly path: string;

  constructor(@Inject(CONFIG) private readonly config: Config) {
    this.path = join(config.dataDir, 'tmp', 'transcripts');
  }

  async onApplicationBootstrap(): Promise<void> {
    if (!this.config.isWorker) return;
    await this.removeLeftovers().catch((error: unknown) => {
      this.logger.error(error, 'Leftover copies of recordings could not be removed');
    });
  }

  /** Creates an empty folder that only this user can read. The caller removes it. @returns its path */
  async createFolder(): Promise<string> {
    await mkdir(this.path, { recursive: true, mode: 0o700 });
    return mkdtemp(join(this.path, await processPrefix(process.pid)));
  }

  private async removeLeftovers(): Promise<void> {
    const names = await readdir(this.path).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return [];
      throw error;
    });
    for (const name of names) {
      const pid = /^(\d+)-/.exec(name)?.[1];
      if (pid === undefined || name.startsWith(await processPrefix(Number(pid)))) continue;
      await rm(join(this.path, name), { recursive: true, force: true });
    }
  }
}

/** Prefix of a process's folders. It includes the start time, since process ids are reused. */
const processPrefix = async (pid: number): Promise<string> =>
  `${pid}-${(await processStartTime(pid))?.replaceAll(/\W/g, '_') ?? 'gone'}-`;
