import type { Readable } from 'node:stream';
import { DataStore, Metadata, Upload } from '@tus/server';
import { SAMPLE_BYTES } from '../../platform/http/input/content-type';
import type { StoredObjectsService } from '../../platform/storage/stored-objects.service';
import { partNumberOf } from '../parts/joined-part';
import { recordingTypeOf } from '../recording-type';
import { declaredPartOf } from './declared-part';
import { StreamSplitter } from './stream-splitter';
import type { RecordingUpload, RecordingUploadsService, UploadScope } from './recording-uploads.service';
import { TUS_EXTENSIONS } from './tus-protocol';

/** The maximum that is lost when a process is killed. It is small enough for one PUT to a bucket. */
const PART_BYTES = 8 * 1024 * 1024;

/** Data store of @tus/server for one request: the uploads of one user to one call. */
export class UploadStore extends DataStore {
  override extensions = [...TUS_EXTENSIONS];
  /** The upload as this request last read or wrote it. */
  upload: RecordingUpload | undefined;

  constructor(
    private readonly uploads: RecordingUploadsService,
    private readonly objects: StoredObjectsService,
    private readonly scope: UploadScope,
  ) {
    super();
  }

  override async create(upload: Upload): Promise<Upload> {
    const { id, size } = upload;
    const metadata = upload.metadata ? Metadata.stringify(upload.metadata) : null;
    // Refused before anything is sent.
    partNumberOf(metadata);
    this.upload = await this.uploads.create(this.scope, {
      id,
      length: size ?? null,
      metadata,
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
   * Stores the content part by part. If the client disconnects, the last part is what was received of it.
   * @returns the offset at which the upload continues
   * @throws 409, 422, 503, and the stream's error once the last part is stored
   */
  override async write(content: Readable, id: string, offset: number): Promise<number> {
    const splitter = new StreamSplitter(content as AsyncIterable<Buffer>, PART_BYTES);
    const content_type = offset === 0 ? await this.detectType(splitter, id) : null;
    let start = offset;
    while (!(await splitter.isAtEnd()))
      start = await this.storePart(splitter.nextPart(), id, start, content_type);
    if (splitter.failure) throw splitter.failure;
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

  /**
   * @returns null if the sample is too short to detect the type, or has none: the type is then decided when the upload
   * is complete
   * @throws 422 after removing the upload
   */
  private async detectType(splitter: StreamSplitter, id: string): Promise<string | null> {
    const sample = await splitter.peek(SAMPLE_BYTES);
    try {
      const type = await recordingTypeOf(sample, declaredPartOf(this.upload?.metadata ?? null));
      return type.is_type_declared ? null : type.content_type;
    } catch (error) {
      const isConclusive = sample.length === SAMPLE_BYTES || sample.length === this.upload?.length;
      if (!isConclusive) return null;
      await this.uploads.remove(this.scope, id);
      throw error;
    }
  }
}
