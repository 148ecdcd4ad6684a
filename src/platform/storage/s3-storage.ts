import type { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListMultipartUploadsCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import type { S3Address } from './storage-url';
import { type ByteRange, type Storage, StorageMissing, StorageUnavailable } from './storage';

/** Two parts of 8 MiB are under way at a time: what an upload holds in memory, whatever its size. */
const PARTS = { partSize: 8 * 1024 * 1024, queueSize: 2 };

/** Objects in a bucket of Amazon S3, or of any server that speaks its protocol. */
export class S3Storage implements Storage {
  private readonly client: S3Client;
  private readonly bucket: string;
  private readonly prefix: string;

  constructor({ bucket, prefix, region, endpoint, path_style, credentials }: S3Address) {
    this.bucket = bucket;
    this.prefix = prefix;
    this.client = new S3Client({
      region,
      endpoint,
      forcePathStyle: path_style,
      credentials,
      // Servers other than Amazon's often know nothing of the newer checksums; TLS guards the way.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
    });
  }

  async write(key: string, content: Readable): Promise<void> {
    try {
      await new Upload({ client: this.client, params: { ...this.at(key), Body: content }, ...PARTS }).done();
    } catch (error) {
      throw new StorageUnavailable(error);
    }
  }

  async read(key: string, range?: ByteRange): Promise<Readable> {
    try {
      const Range = range && `bytes=${range.start}-${range.end}`;
      const { Body } = await this.client.send(new GetObjectCommand({ ...this.at(key), Range }));
      return Body as Readable;
    } catch (error) {
      throw statusOf(error) === 404 ? new StorageMissing(key) : new StorageUnavailable(error);
    }
  }

  async delete(key: string): Promise<void> {
    try {
      await this.client.send(new DeleteObjectCommand(this.at(key)));
      await this.abortUploads(key);
    } catch (error) {
      throw new StorageUnavailable(error);
    }
  }

  /** Parts of an upload whose process died are in no listing, and yet stored and paid for. */
  private async abortUploads(key: string): Promise<void> {
    const { Bucket, Key } = this.at(key);
    const { Uploads = [] } = await this.client.send(new ListMultipartUploadsCommand({ Bucket, Prefix: Key }));
    for (const { UploadId } of Uploads) {
      await this.client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }));
    }
  }

  private at(key: string): { Bucket: string; Key: string } {
    return { Bucket: this.bucket, Key: `${this.prefix}${key}` };
  }
}

function statusOf(error: unknown): number | undefined {
  return (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;
}
