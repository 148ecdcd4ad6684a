import { createReadStream, createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../platform/config/config';
import { ApiError } from '../../platform/http/errors/api-error';
import { STORAGE, StorageUnavailableError, type Storage } from '../../platform/storage/storage';
import { type StoredObject, StoredObjectsService } from '../../platform/storage/stored-objects.service';
import { type Join, MediaInspector } from '../media-inspector';
import type { JoinResult } from '../media-inspector.worker';
import { SpoolFolder } from '../spool-folder';
import { NotJoinable } from './not-joinable';

export interface PartToJoin {
  tenant_id: string;
  /** Storage key of the parts joined so far; undefined for the first part. */
  recording_key: string | undefined;
  /** Where the part begins in the joined recording, in milliseconds. */
  start: number;
  content: AsyncIterable<Buffer>;
  signal: AbortSignal | undefined;
}

export interface JoinedObject extends JoinResult {
  object: StoredObject;
}

/** One, since it takes up to 240 MiB of memory, ends itself above 400, and its files take space. Tenants take turns. */
const PROCESSES = 1;

/**
 * Joins parts to recordings in files of this machine: the duration and the index of a file are known at its end and written
 * at several places, and clients decide its content, so that another process reads it.
 */
@Injectable()
export class PartJoiner {
  private readonly inspector = new MediaInspector(PROCESSES);

  constructor(
    private readonly folder: SpoolFolder,
    private readonly objects: StoredObjectsService,
    @Inject(STORAGE) private readonly storage: Storage,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** @throws NotJoinable; 503 storage_unavailable, also without space for the files; the reason of the signal */
  join(joining: PartToJoin): Promise<JoinedObject> {
    const { tenant_id, signal } = joining;
    return this.inspector.joinInTurn(tenant_id, (joinFiles) => this.joinInFolder(joining, joinFiles), signal);
  }

  private async joinInFolder(joining: PartToJoin, joinFiles: Join): Promise<JoinedObject> {
    const path = await this.folder.createFolder().catch((error: unknown) => {
      throw new StorageUnavailableError(error);
    });
    try {
      return await this.joinIn(path, joining, joinFiles);
    } catch (error) {
      joining.signal?.throwIfAborted();
      throw error instanceof NotJoinable || error instanceof ApiError
        ? error
        : new StorageUnavailableError(error);
    } finally {
      await rm(path, { recursive: true, force: true });
    }
  }

  private async joinIn(
    folder: string,
    { tenant_id, recording_key, start, content, signal }: PartToJoin,
    joinFiles: Join,
  ): Promise<JoinedObject> {
    const recording = recording_key === undefined ? null : join(folder, 'recording');
    const [part, output] = [join(folder, 'part'), join(folder, 'joined')];
    if (recording !== null && recording_key !== undefined)
      await copy(await this.storage.read(recording_key), recording, signal);
    await copy(content, part, signal);
    const request = { recording, part, start, output, max_bytes: this.config.maxRecordingBytes };
    const joined = await joinFiles(request);
    signal?.throwIfAborted();
    if (!joined) throw new NotJoinable('The part cannot be joined to the recording.');
    return { ...joined, object: await this.objects.write(tenant_id, 'recordings', createReadStream(output)) };
  }
}

async function copy(content: AsyncIterable<Buffer>, path: string, signal?: AbortSignal): Promise<void> {
  await pipeline(content, createWriteStream(path, { flags: 'wx', mode: 0o600 }), { signal });
}
