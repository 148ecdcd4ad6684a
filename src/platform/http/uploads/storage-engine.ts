import type { Request } from 'express';
import type { StorageEngine as MulterEngine } from 'multer';
import type { StoredObject, StoredObjectsService } from '../../storage/stored-objects.service';
import { ApiError, invalidField, unauthenticated } from '../errors/api-error';
import type { AuthenticatedRequest } from '../../access/principal';

/** How many bytes of a file tell its type. */
export const SAMPLE_BYTES = 64 * 1024;

/** An uploaded file: stored, but no record stands for it yet. */
export interface StoredUpload extends StoredObject {
  /** As the client named it. */
  filename: string;
  /** Its first bytes, SAMPLE_BYTES of them at the most. */
  sample: Buffer;
}

/** What may be stored. */
export interface UploadRules {
  /** What the objects belong to: part of their keys. */
  kind: string;
  /** Bytes. */
  largest: number;
  /** Throws when the file's first bytes are not those of a file that is taken. */
  accept?: (sample: Buffer) => Promise<void>;
}

/** 413 for a file over `largest` bytes. */
export const fileTooLarge = (largest: number) =>
  new ApiError(413, 'payload_too_large', `The file is larger than ${largest / 1024 / 1024} MiB.`);

/** Where multer puts the file of one request: into the storage, below the tenant of the user who sends it. */
export class StorageEngine implements MulterEngine {
  private work: Promise<void> = Promise.resolve();

  /** @param refused is told at once of what multer only tells once it has read the rest of the body */
  constructor(
    private readonly objects: StoredObjectsService,
    private readonly rules: UploadRules,
    private readonly refused: (error: Error) => void,
  ) {}

  _handleFile(request: Request, file: Express.Multer.File, done: (error?: unknown, info?: object) => void) {
    this.work = this.store(request, file).then(
      (upload) => done(null, upload),
      (error: Error) => {
        this.refused(error);
        done(error);
      },
    );
  }

  /** Resolves once nothing is being stored any more, nor taken back since it failed. */
  finished(): Promise<void> {
    return this.work;
  }

  /** Called for a file that was stored before the rest of the body turned out to be wrong. */
  _removeFile(_request: Request, file: Express.Multer.File, done: (error: Error | null) => void) {
    const { key } = file as unknown as StoredUpload;
    void this.objects.discard(key).then(() => done(null));
  }

  private async store(request: Request, file: Express.Multer.File): Promise<StoredUpload> {
    const { user } = request as AuthenticatedRequest;
    if (!user) throw unauthenticated();
    const taster = new Taster(this.rules, file.fieldname);
    const object = await this.objects.write(user.tenant_id, this.rules.kind, taster.taste(file.stream));
    return { ...object, filename: file.originalname, sample: taster.sample };
  }
}

/** Holds content back until there is enough of it to tell what it is, and ends it where it is too much. */
class Taster {
  sample = Buffer.alloc(0);
  private size = 0;

  constructor(
    private readonly rules: UploadRules,
    private readonly field: string,
  ) {}

  async *taste(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let held: Buffer[] | undefined = [];
    for await (const chunk of content) {
      this.size += chunk.length;
      if (this.size > this.rules.largest) throw fileTooLarge(this.rules.largest);
      if (!held) {
        yield chunk;
        continue;
      }
      held.push(chunk);
      if (this.size < SAMPLE_BYTES) continue;
      yield await this.judge(held);
      held = undefined;
    }
    if (held) yield await this.judge(held);
  }

  private async judge(held: Buffer[]): Promise<Buffer> {
    const start = Buffer.concat(held);
    if (start.length === 0) throw invalidField(this.field, 'must not be empty');
    this.sample = start.subarray(0, SAMPLE_BYTES);
    await this.rules.accept?.(this.sample);
    return start;
  }
}
