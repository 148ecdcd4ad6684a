import type { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListMultipartUploadsCommand,
  type MultipartUpload,
  S3Client,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import type { S3Address } from './storage-url';
import {
  type ByteRange,
  logStorageFailure,
  type Storage,
  ObjectNotFoundError,
  StorageUnavailableError,
} from './storage';

/** Two parts of 8 MiB are under way at a time: what an upload holds in memory, whatever its size. */
const MULTIPART = { partSize: 8 * 1024 * 1024, queueSize: 2 };

/**
 * Milliseconds, each for one of three tries. A part has its time for being sent, too; a download's begins when
 * nothing comes any more, and is as long as that of a client who does not take what there is.
 */
const TIMEOUTS = { connectionTimeout: 2000, requestTimeout: 20_000, socketTimeout: 300_000 };
/** For what is answered at once. */
const SHORT_TIMEOUT = { requestTimeout: 5000 };
/** For putting the parts together, which some servers do by copying all of them. */
const LONG_TIMEOUT = { requestTimeout: 300_000 };

/** Objects in a bucket of Amazon S3, or of any server that speaks its protocol. */
export class S3Storage implements Storage {
  private readonly client: S3Client;
  private readonly uploader: S3Client;
  private readonly bucket: string;
  private readonly prefix: string;

  constructor({ bucket, prefix, region, endpoint, path_style, credentials }: S3Address) {
    this.bucket = bucket;
    this.prefix = prefix;
    // A download has a connection for itself for as long as it takes: one more must not wait for its end.
    const agent = { keepAlive: true, maxSockets: Infinity };
    this.client = new S3Client({
      region,
      endpoint,
      forcePathStyle: path_style,
      credentials,
      maxAttempts: 3,
      requestHandler: { ...TIMEOUTS, throwOnRequestTimeout: true, httpAgent: agent, httpsAgent: agent },
      // Each part would open a connection of its own, and wait for leave to be sent.
      expectContinueHeader: false,
      // Servers other than Amazon's often know nothing of the newer checksums; TLS guards the way.
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
      const { Body } = await this.client.send(
        new GetObjectCommand({ ...this.at(key), Range }),
        SHORT_TIMEOUT,
      );
      return Body as Readable;
    } catch (error) {
      if (nameOf(error) === 'NoSuchKey') throw new ObjectNotFoundError(key);
      logStorageFailure(error, 'An object could not be read');
      throw new StorageUnavailableError(error);
    }
  }

  async delete(key: string): Promise<void> {
    try {
      await this.client.send(new DeleteObjectCommand(this.at(key)), SHORT_TIMEOUT);
      await this.abortUploads(key);
    } catch (error) {
      throw new StorageUnavailableError(error);
    }
  }

  /** Parts of an upload whose process died are in no listing of objects, and yet stored and paid for. */
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
      // A server that cannot list them may well store objects: its operator has to see to what is left.
      if (NOT_IMPLEMENTED.has(statusOf(error))) return [];
      throw error;
    }
  }

  private at(key: string): { Bucket: string; Key: string } {
    return { Bucket: this.bucket, Key: `${this.prefix}${key}` };
  }
}

/** The same client for Upload, which cannot say how long each of its commands may take. */
function withCommandTimeouts(client: S3Client): S3Client {
  const send = client.send.bind(client) as (command: unknown, options?: object) => Promise<unknown>;
  return Object.assign(Object.create(client) as S3Client, {
    send: (command: unknown) =>
      send(command, command instanceof CompleteMultipartUploadCommand ? LONG_TIMEOUT : {}),
  });
}

const NOT_IMPLEMENTED = new Set<number | undefined>([405, 501]);

const nameOf = (error: unknown): string | undefined => (error as { name?: string }).name;

const statusOf = (error: unknown): number | undefined =>
  (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;
