import type { Request } from 'express';
import type { StorageEngine as MulterEngine } from 'multer';
import type { StoredObject, StoredObjects } from '../storage/stored-objects';
import { unauthenticated } from './api-error';
import type { AuthenticatedRequest } from './principal';

/** How many bytes of a file tell its type. */
export const SAMPLE_BYTES = 64 * 1024;

/** An uploaded file: stored, but no record stands for it yet. */
export interface StoredUpload extends StoredObject {
  /** As the client named it. */
  filename: string;
  /** Its first bytes, SAMPLE_BYTES of them at the most. */
  sample: Buffer;
}

/** Where multer puts files: into the storage, below the tenant of the user who sends them. */
export class StorageEngine implements MulterEngine {
  constructor(
    private readonly objects: StoredObjects,
    private readonly kind: string,
    private readonly accept: (sample: Buffer) => Promise<void> = async () => {},
  ) {}

  _handleFile(request: Request, file: Express.Multer.File, done: (error?: unknown, info?: object) => void) {
    this.store(request, file).then(
      (upload) => done(null, upload),
      (error: unknown) => done(error),
    );
  }

  /** Called for a file that was stored before the rest of the body turned out to be wrong. */
  _removeFile(_request: Request, file: Express.Multer.File, done: (error: Error | null) => void) {
    const { key } = file as unknown as StoredUpload;
    void this.objects.discard(key).then(() => done(null));
  }

  private async store(request: Request, file: Express.Multer.File): Promise<StoredUpload> {
    const { user } = request as AuthenticatedRequest;
    if (!user) throw unauthenticated();
    const taster = new Taster(this.accept);
    const object = await this.objects.write(user.tenant_id, this.kind, taster.taste(file.stream));
    return { ...object, filename: file.originalname, sample: taster.sample };
  }
}

/** Holds content back until there is enough of it to tell what it is. */
class Taster {
  sample = Buffer.alloc(0);

  constructor(private readonly accept: (sample: Buffer) => Promise<void>) {}

  async *taste(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let held: Buffer[] | undefined = [];
    for await (const chunk of content) {
      if (!held) {
        yield chunk;
        continue;
      }
      held.push(chunk);
      if (held.reduce((sum, { length }) => sum + length, 0) < SAMPLE_BYTES) continue;
      yield await this.judge(held);
      held = undefined;
    }
    if (held) yield await this.judge(held);
  }

  private async judge(held: Buffer[]): Promise<Buffer> {
    const start = Buffer.concat(held);
    this.sample = start.subarray(0, SAMPLE_BYTES);
    await this.accept(this.sample);
    return start;
  }
}
