import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { Inject, Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { SAMPLE_BYTES } from '../../platform/http/input/content-type';
import { Jobs } from '../../platform/jobs/jobs';
import { type RequestContext, requestContext } from '../../platform/logging/request-context';
import { STORAGE, type Storage, StorageMissing, StorageUnavailable } from '../../platform/storage/storage';
import { StoredObjects } from '../../platform/storage/stored-objects';
import { recordingTypeOf } from '../recording-type';
import { RecordingsService } from '../recordings.service';
import { type CompleteUpload, CompleteUploads, type LeftUpload } from './complete-uploads';
import { PartCutter } from './part-cutter';
import { isRefusal } from './upload-refusal';

/** A quarter of the lease. */
const RENEWAL_MS = 30_000;
/** How long after its beginning an upload that always fails is tried once more. */
const LONGEST_TRIED_MS = 7 * 24 * 60 * 60 * 1000;

/** Another one has made the recording, or the upload is gone: either way nothing is left to do. */
class Settled extends Error {}

/** Makes recordings of complete uploads: exactly one each, however many try, and wherever one of them died. */
@Injectable()
export class FinishUploads implements OnModuleInit {
  private readonly logger = new Logger(FinishUploads.name);

  constructor(
    private readonly uploads: CompleteUploads,
    private readonly recordings: RecordingsService,
    private readonly objects: StoredObjects,
    private readonly jobs: Jobs,
    private readonly clock: Clock,
    @Inject(STORAGE) private readonly storage: Storage,
  ) {}

  onModuleInit(): void {
    this.jobs.schedule('settle-recording-uploads', '* * * * *', () => this.settle());
  }

  /**
   * Finishes what was left complete, as by a process that died, or live, as by a tab that was closed, and deletes
   * what was abandoned.
   */
  async settle(): Promise<void> {
    await this.uploads.endSilent();
    for (const upload of await this.uploads.left()) {
      // Whoever sent it has made the recording, also where the schedule puts it together.
      await requestContext.run(contextOf(upload), () => this.finishLeft(upload));
    }
    await this.uploads.deleteExpired();
  }

  private async finishLeft({ tenant_id, id }: LeftUpload): Promise<void> {
    await this.finish(tenant_id, id).catch((error: unknown) => {
      if (isRefusal(error)) return;
      this.logger.error(error, `Upload ${id} is complete, but could not be made a recording`);
    });
  }

  /**
   * Puts the parts together, if all are there and nobody else is at it.
   * @returns the recording's id, if it was made here
   * @throws 422 for what turns out to be neither audio nor video, or belongs to an erased call, which is given up;
   * 503 from the storage
   */
  async finish(tenantId: string, id: string): Promise<string | undefined> {
    const upload = await this.uploads.lease(tenantId, id);
    if (!upload) return undefined;
    const renewal = setInterval(() => void this.renew(upload), RENEWAL_MS).unref();
    try {
      return await this.assemble(upload);
    } catch (error) {
      if (error instanceof Settled) return undefined;
      await this.giveUpHopeless(upload, error);
      throw error;
    } finally {
      clearInterval(renewal);
    }
  }

  private async assemble(upload: CompleteUpload): Promise<string> {
    const { tenant_id, call_id, user_id } = upload;
    const keys = await this.uploads.keysOf(upload);
    const content_type = upload.content_type ?? (await this.judge(keys));
    const object = await this.objects.write(tenant_id, 'recordings', this.contentOf(keys));
    try {
      // The last line of defence: better no recording yet than half of one.
      if (object.size !== upload.length) throw new Error(`${object.size} bytes instead of ${upload.length}`);
      const recording = { tenant_id, call_id, uploaded_by: user_id, object, content_type };
      const { id } = await this.recordings.add(recording, async (tx) => {
        if (!(await this.uploads.markFinished(tx, upload))) throw new Settled();
      });
      return id;
    } catch (error) {
      await this.objects.discard(object.key);
      throw error;
    }
  }

  /** What came in first pieces too small to tell. */
  private async judge(keys: string[]): Promise<string> {
    const content = this.contentOf(keys);
    const cutter = new PartCutter(content, SAMPLE_BYTES);
    const sample = await cutter.peek(SAMPLE_BYTES);
    await content.return(undefined);
    if (cutter.failure) throw cutter.failure;
    return recordingTypeOf(sample);
  }

  private async giveUpHopeless(upload: CompleteUpload, error: unknown): Promise<void> {
    const { id, inserted_at } = upload;
    const refused = isRefusal(error);
    if (!refused && this.clock.now().getTime() - inserted_at.getTime() < LONGEST_TRIED_MS) return;
    await this.uploads.giveUp(upload);
    if (refused) this.logger.warn(`Upload ${id} was refused, and is given up: ${error.code}`);
    else this.logger.error(`Upload ${id} could not be made a recording for 7 days, and is given up`);
  }

  private async *contentOf(keys: string[]): AsyncGenerator<Buffer> {
    for (const key of keys) yield* (await this.readPart(key)) as AsyncIterable<Buffer>;
  }

  /** A part that is not there is nothing that the client could know of: its upload is all right. */
  private readPart(key: string): Promise<Readable> {
    return this.storage.read(key).catch((error: unknown) => {
      throw error instanceof StorageMissing ? new StorageUnavailable(error) : error;
    });
  }

  private async renew(upload: CompleteUpload): Promise<void> {
    await this.uploads.renew(upload).catch((error: unknown) => this.logger.error(error));
  }
}

const contextOf = ({ tenant_id, user_id }: LeftUpload): RequestContext => ({
  request_id: randomUUID(),
  address: null,
  actor: user_id ? { tenant_id, user_id } : undefined,
});
