import type { IncomingHttpHeaders } from 'node:http';
import type { Writable } from 'node:stream';
import type { Request } from 'express';
import type { StorageEngine as MulterEngine } from 'multer';
import type { AuthenticatedRequest } from '../../platform/access/principal';
import type { StoredObject, StoredObjectsService } from '../../platform/storage/stored-objects.service';
import { badRequest, unauthenticated } from '../../platform/http/errors/api-error';
import { ContentSniffer, type UploadedPart, type UploadRules } from './content-sniffer';
import type { StorageAdmission } from '../../plans/storage-admission';

/** An uploaded file that is stored, but that no record refers to yet. */
export interface StoredUpload extends StoredObject, UploadedPart {
  /** The name that the client gave it. */
  filename: string;
  /** Bytes that count towards the storage of the plan until a record keeps the object. */
  reserved_bytes: number;
  /** The first bytes of the file, at most SAMPLE_BYTES. */
  sample: Buffer;
}

/** Writes the file that multer receives for one request to the storage, under the tenant of the user. */
export class StorageEngine implements MulterEngine {
  private stored: Promise<StoredUpload | undefined> = Promise.resolve(undefined);
  /** The last two chunks of the body that the parser has got. */
  private received: Buffer[] = [];

  /** @param onError is called at once; multer reports the error only after it has read the rest of the body */
  constructor(
    private readonly objects: StoredObjectsService,
    private readonly rules: UploadRules,
    private readonly admission: StorageAdmission,
    private readonly onError: (error: Error) => void,
  ) {}

  /** The `streamHandler` of multer. */
  readonly feed = (request: Request, parser: Writable): void => {
    request.on('data', (chunk: Buffer) => (this.received = [...this.received.slice(-1), chunk]));
    request.pipe(parser);
  };

  _handleFile(request: Request, file: Express.Multer.File, done: (error?: unknown) => void) {
    this.stored = this.store(request, file).then(
      (upload) => {
        done();
        return upload;
      },
      (error: Error) => {
        this.onError(error);
        done(error);
        return undefined;
      },
    );
  }

  /** Resolves when the file is stored, or without it when a failed one has been removed. */
  finished(): Promise<StoredUpload | undefined> {
    return this.stored;
  }

  /** multer calls this for a stored file when the rest of the body turns out to be invalid. */
  _removeFile(_request: Request, _file: Express.Multer.File, done: (error: Error | null) => void) {
    void this.discard().then(() => done(null));
  }

  private async discard(): Promise<void> {
    const upload = await this.stored;
    if (upload) await this.objects.discard(upload.key);
  }

  /** The parser replaces bytes that are not UTF-8. Other replacement characters are in the header of the part itself. */
  private isUtf8(filename: string): boolean {
    // These characters are escaped in the header.
    const replaced = filename.split(/["\\\r\n]/).filter((part) => part.includes('\ufffd'));
    return replaced.every((part) => Buffer.concat(this.received).includes(part));
  }

  private async store(request: Request, file: Express.Multer.File): Promise<StoredUpload> {
    const { user, uploader = user } = request as AuthenticatedRequest;
    if (!uploader) throw unauthenticated();
    if (!this.isUtf8(file.originalname)) throw badRequest('The name of the file must be encoded in UTF-8.');
    const part: UploadedPart = { field: file.fieldname, declared_type: file.mimetype };
    const sniffer = new ContentSniffer(this.rules, part);
    const { tenant_id, user_id } = uploader;
    const bytes = bytesToReserve(request.headers, this.rules.maxBytes);
    const object = await this.objects.write(tenant_id, this.rules.kind, sniffer.sniff(file.stream), {
      user_id,
      bytes,
      ensureAllowed: (tx) => this.admission.ensureAllowed(tx, { tenant_id, user_id, bytes }),
    });
    const { sample } = sniffer;
    return { ...object, ...part, filename: file.originalname, reserved_bytes: bytes, sample };
  }
}

/** What boundaries and part headers add to the file in a form, rounded up. */
const FORM_BYTES = 1024;

/**
 * The space in bytes that an upload reserves when it begins: its Content-Length without the form around the file, or
 * the limit of the route if the length is unknown. So that a file which just fits is accepted, it may be slightly less
 * than the file has; the transaction that adds the record counts the file's exact size.
 */
function bytesToReserve(headers: IncomingHttpHeaders, maxBytes: number): number {
  const length = headers['content-length'];
  if (length === undefined) return maxBytes;
  return Math.min(Math.max(Number(length) - FORM_BYTES, 1), maxBytes);
}
