import type { Readable } from 'node:stream';
import { DataStore, Metadata, Upload } from '@tus/server';
import { SAMPLE_BYTES } from '../../platform/http/input/content-type';
import { TUS_EXTENSIONS } from './tus-protocol';
import type { StoredObjects } from '../../platform/storage/stored-objects';
import { recordingTypeOf } from '../recording-type';
import { PartCutter } from './part-cutter';
import type { RecordingUpload, RecordingUploads, UploadScope } from './recording-uploads';

/** What a killed process costs at the most, and one PUT for a bucket. */
const PART_BYTES = 8 * 1024 * 1024;

/** What @tus/server stores things in: the uploads of one user to one call, during one request. */
export class UploadStore extends DataStore {
  override extensions = [...TUS_EXTENSIONS];
  /** The upload as this request last saw it. */
  upload: RecordingUpload | undefined;

  constructor(
    private readonly uploads: RecordingUploads,
    private readonly objects: StoredObjects,
    private readonly scope: UploadScope,
  ) {
    super();
  }

  override async create(upload: Upload): Promise<Upload> {
    const { id, size, metadata } = upload;
    this.upload = await this.uploads.create(this.scope, {
      id,
      length: size ?? null,
      metadata: metadata ? Metadata.stringify(metadata) : null,
    });
    return upload;
  }

  override async getUpload(id: string): Promise<Upload> {
    this.upload = await this.uploads.get(this.scope, id);
    const { length, received, metadata } = this.upload;
    return new Upload({
      id,
      offset: received,
      ...(length === null ? {} : { size: length }),
      ...(metadata ? { metadata: Metadata.parse(metadata) } : {}),
    });
  }

  override async declareUploadLength(id: string, length: number): Promise<void> {
    await this.uploads.declareLength(this.scope, id, length);
    if (this.upload) this.upload = { ...this.upload, length };
  }

  override remove(id: string): Promise<void> {
    return this.uploads.remove(this.scope, id);
  }

  /**
   * Stores what comes, part by part, each for good. When the client breaks off, the last part is what has come
   * of it.
   * @returns the offset at which it goes on
   * @throws 409, 422, 503, and whatever the stream fails with after its last part was stored
   */
  override async write(content: Readable, id: string, offset: number): Promise<number> {
    const cutter = new PartCutter(content as AsyncIterable<Buffer>, PART_BYTES);
    const content_type = offset === 0 ? await this.judge(cutter, id) : null;
    let start = offset;
    while (!(await cutter.isAtEnd())) start = await this.storePart(cutter.part(), id, start, content_type);
    if (cutter.failure) throw cutter.failure;
    return start;
  }

  private async storePart(
    content: AsyncIterable<Buffer>,
    id: string,
    start: number,
    content_type: string | null,
  ): Promise<number> {
    const object = await this.objects.write(this.scope.tenant_id, 'recording-parts', content);
    try {
      this.upload = await this.uploads.addPart(this.scope, id, { start, object, content_type });
      return this.upload.received;
    } catch (error) {
      await this.objects.discard(object.key);
      throw error;
    }
  }

  /** Null where too little has come to tell: then it is told at the end. @throws 422, with the upload removed */
  private async judge(cutter: PartCutter, id: string): Promise<string | null> {
    const sample = await cutter.peek(SAMPLE_BYTES);
    try {
      return await recordingTypeOf(sample);
    } catch (error) {
      const isAll = sample.length === SAMPLE_BYTES || sample.length === this.upload?.length;
      if (!isAll) return null;
      await this.uploads.remove(this.scope, id);
      throw error;
    }
  }
}
