import type { Readable } from 'node:stream';
import { DataStore, Metadata, Upload } from '@tus/server';
import { SAMPLE_BYTES } from '../../files/uploads/content-type';
import { ContentSniffer } from '../../files/uploads/content-sniffer';
import type { StoredObjectsService } from '../../platform/storage/stored-objects.service';
import { recordingTypeOf } from '../recording-type';
import type { UploadScope } from './recording-upload.rules';
import type { RecordingUpload, RecordingUploadsService } from './recording-uploads.service';
import { TUS_EXTENSIONS } from './tus-protocol';
import { declaredPartOf, partNumberOf } from './upload-metadata';

/** The maximum that is lost when a process is killed. It is small enough for one PUT to a bucket. */
const PART_BYTES = 8 * 1024 * 1024;
/** What the objects belong to. */
const KIND = 'recording-parts';

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
   * @throws 409, 422, 503
   */
  override async write(content: Readable, id: string, offset: number): Promise<number> {
    let start = offset;
    for await (const part of partsOf(content)) start = await this.storePart(part, id, start);
    return start;
  }

  private async storePart(content: AsyncIterable<Buffer>, id: string, start: number): Promise<number> {
    let content_type: string | null = null;
    const accept = async (sample: Buffer) => void (content_type = await this.detectType(sample, id));
    const rules = { kind: KIND, maxBytes: PART_BYTES, accept };
    const checked = start === 0 ? new ContentSniffer(rules, this.declared).sniff(content) : content;
    const object = await this.objects.write(this.scope.tenant_id, KIND, checked);
    try {
      this.upload = await this.uploads.addPart(this.scope, id, { start, object, content_type });
      return this.upload.received;
    } catch (error) {
      await this.objects.discard(object.key);
      throw error;
    }
  }

  private get declared() {
    return declaredPartOf(this.upload?.metadata ?? null);
  }

  /**
   * @returns null if the sample is too short to detect the type, or has none: the type is then decided when the upload
   * is complete
   * @throws 422 after removing the upload
   */
  private async detectType(sample: Buffer, id: string): Promise<string | null> {
    try {
      const type = await recordingTypeOf(sample, this.declared);
      return type.is_type_declared ? null : type.content_type;
    } catch (error) {
      const isConclusive = sample.length === SAMPLE_BYTES || sample.length === this.upload?.length;
      if (!isConclusive) return null;
      await this.uploads.remove(this.scope, id);
      throw error;
    }
  }
}

/** @yields streams of at most PART_BYTES. Read each to its end before the next one. */
async function* partsOf(content: AsyncIterable<Buffer>): AsyncGenerator<AsyncGenerator<Buffer>> {
  const source = content[Symbol.asyncIterator]();
  let chunk: Buffer | undefined;
  const pull = async () => (await source.next()).value as Buffer | undefined;
  while ((chunk ??= await pull())) yield part();

  async function* part(): AsyncGenerator<Buffer> {
    for (let left = PART_BYTES; left > 0 && (chunk ??= await pull());) {
      const taken = chunk.subarray(0, left);
      chunk = taken.length < chunk.length ? chunk.subarray(taken.length) : undefined;
      left -= taken.length;
      yield taken;
    }
  }
}
