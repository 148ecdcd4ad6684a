import type { Readable } from 'node:stream';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import type { Transaction } from '../../platform/database/transaction';
import { type ContentType, SAMPLE_BYTES } from '../../files/uploads/content-type';
import {
  ObjectNotFoundError,
  STORAGE,
  StorageUnavailableError,
  type Storage,
} from '../../platform/storage/storage';
import { StoredObjectsService } from '../../platform/storage/stored-objects.service';
import { recordingTypeOf } from '../recording-type';
import { NotJoinable } from '../parts/not-joinable';
import { RecordingParts } from '../parts/recording-parts';
import { RecordingsService } from '../recordings.service';
import { AssemblyQueue, type CompletedUpload } from './assembly-queue';
import { isPermanentError } from './upload-errors';
import { declaredPartOf, partNumberOf } from './upload-metadata';

/** A quarter of the lease. */
const LEASE_RENEWAL_INTERVAL_MS = 30_000;
/** Age at which an upload that keeps failing is discarded. */
const MAX_AGE_MS = 7 * 24 * 60 * 60 * 1000;

/** Another process has finished the upload, or it was deleted. */
class NotPending extends Error {}

/** Assembles the parts of completed uploads into recordings: one each, even if several processes try or one dies. */
@Injectable()
export class UploadAssembler {
  private readonly logger = new Logger(UploadAssembler.name);

  constructor(
    private readonly queue: AssemblyQueue,
    private readonly recordings: RecordingsService,
    private readonly parts: RecordingParts,
    private readonly objects: StoredObjectsService,
    private readonly clock: Clock,
    @Inject(STORAGE) private readonly storage: Storage,
  ) {}

  /**
   * Assembles an upload into a recording, if it is complete and no other process has leased it.
   * @param signal ends the attempt and its lease: another process may assemble the upload at once
   * @returns the recording's id, or undefined if it was not added here
   * @throws 422 if the content is neither audio nor video or the call was erased: the upload is discarded; 503 from
   * the storage; the reason of the signal
   */
  async assemble(tenantId: string, id: string, signal?: AbortSignal): Promise<string | undefined> {
    const upload = await this.queue.lease(tenantId, id);
    if (!upload) return undefined;
    const renewal = setInterval(() => void this.renew(upload), LEASE_RENEWAL_INTERVAL_MS).unref();
    try {
      return await this.addRecording(upload, signal);
    } catch (error) {
      if (error instanceof NotPending) return undefined;
      if (signal?.aborted) await this.queue.release(upload);
      else await this.discardIfHopeless(upload, error);
      throw error;
    } finally {
      clearInterval(renewal);
    }
  }

  private async addRecording(upload: CompletedUpload, signal: AbortSignal | undefined): Promise<string> {
    const { tenant_id, call_id, user_id, length, metadata } = upload;
    const keys = await this.queue.partKeys(upload);
    const finish = async (tx: Transaction) => {
      if (!(await this.queue.markFinished(tx, upload))) throw new NotPending();
    };
    const part = partNumberOf(metadata);
    if (part !== undefined) {
      const content = () => this.contentOf(keys, signal);
      try {
        return await this.parts.add({ tenant_id, call_id, user_id, part, length, content, signal }, finish);
      } catch (error) {
        // Better a recording of its own than none.
        if (!(error instanceof NotJoinable)) throw error;
      }
    }
    const type = await this.typeOf(upload, keys);
    const object = await this.objects.write(tenant_id, 'recordings', this.contentOf(keys, signal));
    try {
      // An incomplete recording must never be added.
      if (object.size !== length) throw new Error(`${object.size} bytes instead of ${length}`);
      const recording = { tenant_id, call_id, uploaded_by: user_id, object, ...type, is_counted: true };
      const { id } = await this.recordings.add(recording, finish);
      return id;
    } catch (error) {
      await this.objects.discard(object.key);
      throw error;
    }
  }

  /** Reads the content if its first part was too short to detect the type, or has none. */
  private async typeOf({ content_type, metadata }: CompletedUpload, keys: string[]): Promise<ContentType> {
    if (content_type !== null) return { content_type, is_type_declared: false };
    let sample = Buffer.alloc(0);
    for await (const chunk of this.contentOf(keys)) {
      sample = Buffer.concat([sample, chunk]).subarray(0, SAMPLE_BYTES);
      if (sample.length === SAMPLE_BYTES) break;
    }
    return recordingTypeOf(sample, declaredPartOf(metadata));
  }

  private async discardIfHopeless(upload: CompletedUpload, error: unknown): Promise<void> {
    const { id, inserted_at } = upload;
    const isPermanent = isPermanentError(error);
    if (!isPermanent && this.clock.now().getTime() - inserted_at.getTime() < MAX_AGE_MS) return;
    await this.queue.discard(upload);
    if (isPermanent) this.logger.warn(`Upload ${id} was rejected and discarded: ${error.code}`);
    else this.logger.error(`Upload ${id} was discarded: it could not be assembled for 7 days`);
  }

  private async *contentOf(keys: string[], signal?: AbortSignal): AsyncGenerator<Buffer> {
    for (const key of keys) {
      signal?.throwIfAborted();
      yield* (await this.readPart(key)) as AsyncIterable<Buffer>;
    }
  }

  /** A missing part is a failure of the storage, not of the client's upload. */
  private readPart(key: string): Promise<Readable> {
    return this.storage.read(key).catch((error: unknown) => {
      throw error instanceof ObjectNotFoundError ? new StorageUnavailableError(error) : error;
    });
  }

  private async renew(upload: CompletedUpload): Promise<void> {
    await this.queue.renew(upload).catch((error: unknown) => this.logger.error(error));
  }
}
