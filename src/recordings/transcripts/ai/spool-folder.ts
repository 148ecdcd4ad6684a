import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Inject, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { CONFIG, type Config } from '../../../platform/config/config';
import { processStartTime } from '../../../platform/database/embedded/processes';

/**
 * This host's place for copies of recordings, in DATA_DIR: nothing else may be writable. The name of each folder in
 * it begins with the process whose it is, so that those of killed ones are known.
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
      this.logger.error(error, 'Copies of recordings that a killed process left were not removed');
    });
  }

  /** A new, empty folder that only this user reads. Whoever asks for it removes it. @returns its path */
  async make(): Promise<string> {
    await mkdir(this.path, { recursive: true, mode: 0o700 });
    return mkdtemp(join(this.path, await ownerOf(process.pid)));
  }

  private async removeLeftovers(): Promise<void> {
    const names = await readdir(this.path).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return [];
      throw error;
    });
    for (const name of names) {
      const pid = /^(\d+)-/.exec(name)?.[1];
      if (pid === undefined || name.startsWith(await ownerOf(Number(pid)))) continue;
      await rm(join(this.path, name), { recursive: true, force: true });
    }
  }
}

/** What the folders of a process begin with; a later process of the same number has another start. */
const ownerOf = async (pid: number): Promise<string> =>
  `${pid}-${(await processStartTime(pid))?.replaceAll(/\W/g, '_') ?? 'gone'}-`;
