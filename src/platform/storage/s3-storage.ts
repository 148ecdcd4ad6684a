import type { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  type GetObjectCommandOutput,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  type ListObjectsV2CommandInput,
  type ListObjectsV2CommandOutput,
  type MultipartUpload,
  S3Client,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import type { S3Address } from './storage-url';
import {
  type ByteRange,
  logStorageFailure,
  type ListedObject,
  type Storage,
  ObjectNotFoundError,
  RangeIgnoredError,
  STORAGE_KEY,
  StorageUnavailableError,
} from './storage';

/** Two parts of 8 MiB are sent at a time, so an upload of any size holds 16 MiB in memory. */
const MULTIPART = { partSize: 8 * 1024 * 1024, queueSize: 2 };

/**
 * Milliseconds, each for one of three attempts. `requestTimeout` includes the time to send a part.
 * `socketTimeout` starts when a download stalls, and equals the time after which a client that does not read
 * is disconnected.
 */
const TIMEOUTS = { connectionTimeout: 2000, requestTimeout: 20_000, socketTimeout: 300_000 };
/** For commands that are answered at once. */
const SHORT_TIMEOUT = { requestTimeout: 5000 };
/** For the completion of an upload, for which some servers copy all parts. */
const LONG_TIMEOUT = { requestTimeout: 300_000 };

/** Stores objects in a bucket of Amazon S3 or a compatible server. */
export class S3Storage implements Storage {
  private readonly client: S3Client;
  private readonly uploader: S3Client;
  private readonly bucket: string;
  private readonly prefix: string;
  /** Players request many ranges of one recording, so this is logged once. */
  private isRangeKnownIgnored = false;

  constructor({ bucket, prefix, region, endpoint, path_style, credentials }: S3Address) {
    this.bucket = bucket;
    this.prefix = prefix;
    // Each download occupies a connection until it ends; others must not wait for it.
    const agent = { keepAlive: true, maxSockets: Infinity };
    this.client = new S3Client({
      region,
      endpoint,
      forcePathStyle: path_style,
      credentials,
      maxAttempts: 3,
      requestHandler: { ...TIMEOUTS, throwOnRequestTimeout: true, httpAgent: agent, httpsAgent: agent },
      // With `Expect: 100-continue`, each part would open a new connection and wait for a response.
      expectContinueHeader: false,
      // Many compatible servers do not support the newer checksums; TLS protects the transfer.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
    });
    this.uploader = withCommandTimeouts(this.client);
  }

  async write(key: string, content: Readable): Promise<void> {
    try {
      await new Upload({
        client: this.uploader,
        params: { ...this.at(key), Body: content },
        ...MULTIPART,
      }).done();
    } catch (error) {
      throw new StorageUnavailableError(error);
    }
  }

  async read(key: string, range?: ByteRange): Promise<Readable> {
    const Range = range && `bytes=${range.start}-${range.end}`;
    try {
      const response = await this.client.send(
        new GetObjectCommand({ ...this.at(key), Range }),
        SHORT_TIMEOUT,
      );
      const body = response.Body as Readable;
      if (!range || isRange(response, range)) return body;
      body.destroy();
    } catch (error) {
      if (nameOf(error) === 'NoSuchKey') throw new ObjectNotFoundError(key);
      logStorageFailure(error, 'An object could not be read');
      throw new StorageUnavailableError(error);
    }
    const ignored = new RangeIgnoredError();
    if (!this.isRangeKnownIgnored) logStorageFailure(ignored, 'Parts of objects cannot be read');
    this.isRangeKnownIgnored = true;
    throw ignored;
  }

  async delete(key: string): Promise<void> {
    try {
      await this.client.send(new DeleteObjectCommand(this.at(key)), SHORT_TIMEOUT);
      await this.abortUploads(key);
    } catch (error) {
      throw new StorageUnavailableError(error);
    }
  }

  /** Needs the permission s3:ListBucket. */
  async *list(prefix: string): AsyncGenerator<ListedObject> {
    const { Bucket, Key: Prefix } = this.at(prefix);
    let ContinuationToken: string | undefined;
    do {
      const page = await this.listPage({ Bucket, Prefix, ContinuationToken });
      for (const { Key = '', Size = 0, LastModified = new Date(0) } of page.Contents ?? []) {
        const key = Key.slice(this.prefix.length);
        if (STORAGE_KEY.test(key)) yield { key, size: Size, modified_at: LastModified, is_partial: false };
      }
      ContinuationToken = page.NextContinuationToken;
    } while (ContinuationToken !== undefined);
  }

  private async listPage(input: ListObjectsV2CommandInput): Promise<ListObjectsV2CommandOutput> {
    try {
      return await this.client.send(new ListObjectsV2Command(input), SHORT_TIMEOUT);
    } catch (error) {
      throw new StorageUnavailableError(error);
    }
  }

  /** Aborts unfinished uploads of the key. Their parts are not listed as objects, but use storage. */
  private async abortUploads(key: string): Promise<void> {
    const { Bucket, Key } = this.at(key);
    for (const { UploadId } of await this.unfinishedUploads(Bucket, Key)) {
      await this.client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }), SHORT_TIMEOUT);
    }
  }

  private async unfinishedUploads(Bucket: string, Key: string): Promise<MultipartUpload[]> {
    try {
      const command = new ListMultipartUploadsCommand({ Bucket, Prefix: Key });
      const { Uploads = [] } = await this.client.send(command, SHORT_TIMEOUT);
      return Uploads.filter((upload) => upload.Key === Key);
    } catch (error) {
      // Some servers do not support listing; their operators have to remove unfinished uploads themselves.
      if (NOT_IMPLEMENTED.has(statusOf(error))) return [];
      throw error;
    }
  }

  private at(key: string): { Bucket: string; Key: string } {
    return { Bucket: this.bucket, Key: `${this.prefix}${key}` };
  }
}

/** The same client for Upload, which cannot set a timeout for each of its commands. */
function withCommandTimeouts(client: S3Client): S3Client {
  const send = client.send.bind(client) as (command: unknown, options?: object) => Promise<unknown>;
  return Object.assign(Object.create(client) as S3Client, {
    send: (command: unknown) =>
      send(command, command instanceof CompleteMultipartUploadCommand ? LONG_TIMEOUT : {}),
  });
}

/** Whether a response has exactly these bytes: a server that ignores Range sends the whole object with the status 200. */
function isRange(
  { ContentRange, ContentLength, $metadata }: GetObjectCommandOutput,
  range: ByteRange,
): boolean {
  const { start, end } = range;
  if (ContentLength !== undefined && ContentLength !== end - start + 1) return false;
  if (ContentRange !== undefined) return ContentRange.startsWith(`bytes ${start}-${end}/`);
  return ContentLength !== undefined && (start === 0 || $metadata.httpStatusCode === 206);
}

const NOT_IMPLEMENTED = new Set<number | undefined>([405, 501]);

const nameOf = (error: unknown): string | undefined => (error as { name?: string }).name;

const statusOf = (error: unknown): number | undefined =>
  (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;
