import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from 's3rver';
import { until } from '../until';

const BUCKET = 'calls';
/** Ends the name of the file with the content of an object. */
const OBJECT = '._S3rver_object';
/** Objects in one answer of a listing; a real server has 1,000. */
const LISTING_PAGE_SIZE = 3;

/** The parts of Koa's context and of s3rver that are used here and not in the types of s3rver. */
interface Context {
  method: string;
  path: string;
  query: Record<string, string | undefined>;
  headers: { authorization?: string; range?: string };
  status: number;
  body: unknown;
  type: string;
  remove(header: string): void;
}
type Middleware = (context: Context, next: () => Promise<void>) => Promise<void>;
type Store = Record<'putObject' | 'putPart', (...args: never[]) => Promise<{ size: number }>>;
type Peer = S3rver & {
  middleware: Middleware[];
  httpServer: Server;
  store: Store & { getResourcePath(bucket: string, key: string, kind: string): string };
};

/**
 * A real S3 server on a free loopback port with one bucket. Adds what s3rver lacks: listing objects in the order of their
 * keys and over several pages, listing and aborting multipart uploads, rejecting parts of an aborted one, and answering only
 * when all data is on the disk.
 */
export class S3Peer {
  private readonly folder = mkdtempSync(join(tmpdir(), 'video-queue-s3-'));
  private readonly refusals: { status: number; matches: (method: string, path: string) => boolean }[] = [];
  /** Sends whole objects with the status 200, whatever range is requested. */
  ignoresRange = false;
  /** Sends objects without a Content-Length, as a proxy may. */
  isChunked = false;
  private server: Peer;
  private port = 0;

  static async start(): Promise<S3Peer> {
    const peer = new S3Peer();
    await peer.listen();
    return peer;
  }

  /** The value for STORAGE_URL. */
  url({ key = 'S3RVER', secret = 'S3RVER', bucket = BUCKET } = {}): string {
    return `s3://${key}:${secret}@${bucket}/prefix?endpoint=http://127.0.0.1:${this.port}`;
  }

  get endpoint(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Keys of the stored objects, without the prefix. */
  keys(): string[] {
    return this.files()
      .filter((file) => file.endsWith(OBJECT))
      .map((file) => file.replace(/^prefix\/|\._S3rver_object$/g, ''));
  }

  /** Keys of the multipart uploads that are neither completed nor aborted. */
  uploads(): string[] {
    return this.uploadIds().map((id) => this.keyOf(id).replace(/^prefix\//, ''));
  }

  /** The number of open client connections. */
  countConnections(): Promise<number> {
    return new Promise((resolve, reject) => {
      this.server.httpServer.getConnections((error, count) => (error ? reject(error) : resolve(count)));
    });
  }

  /** Answers matching requests with this status. @returns a function that ends this */
  failRequests(status: number, matches: (method: string, path: string) => boolean = () => true): () => void {
    const refusal = { status, matches };
    this.refusals.push(refusal);
    return () => this.refusals.splice(this.refusals.indexOf(refusal), 1);
  }

  /** Starts, or restarts on the same port. */
  async listen(): Promise<void> {
    this.server = new S3rver({
      address: '127.0.0.1',
      port: this.port,
      directory: this.folder,
      silent: true,
      vhostBuckets: false,
      configureBuckets: [{ name: BUCKET, configs: [] }],
    }) as Peer;
    this.server.middleware.unshift((context, next) => this.answer(context, next));
    this.completeStore();
    await this.server.run();
    this.port = (this.server.httpServer.address() as AddressInfo).port;
  }

  /** Closes all connections and stops listening. */
  async disconnect(): Promise<void> {
    this.server.httpServer.closeAllConnections();
    await this.server.close();
  }

  async stop(): Promise<void> {
    await this.disconnect();
    rmSync(this.folder, { recursive: true, force: true });
  }

  private async answer(context: Context, next: () => Promise<void>): Promise<void> {
    const { method, path, query } = context;
    if (this.ignoresRange) delete context.headers.range;
    if (this.isChunked && method === 'GET') {
      await next();
      return context.remove('Content-Length');
    }
    const refusal = this.refusals.find(({ matches }) => matches(method, path));
    if (refusal) return respond(context, refusal.status, errorXml('Refused'));
    if (method === 'GET' && 'uploads' in query)
      return respond(context, 200, this.uploadListing(query.prefix ?? ''));
    if (isListing(context)) return respond(context, 200, this.objectListing(query));
    const { uploadId } = query;
    if (uploadId === undefined) return next();
    if (!this.uploadIds().includes(uploadId)) return respond(context, 404, errorXml('NoSuchUpload'));
    if (method !== 'DELETE') return next();
    rmSync(join(this.uploadsFolder, uploadId), { recursive: true });
    return respond(context, 204, '');
  }

  /** https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListMultipartUploads.html */
  private uploadListing(prefix: string): string {
    const uploads = this.uploadIds()
      .filter((id) => this.keyOf(id).startsWith(prefix))
      .map((id) => `<Upload><Key>${this.keyOf(id)}</Key><UploadId>${id}</UploadId></Upload>`);
    return `<ListMultipartUploadsResult><Bucket>${BUCKET}</Bucket>${uploads.join('')}</ListMultipartUploadsResult>`;
  }

  /** https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListObjectsV2.html; a continuation token is the last key. */
  private objectListing({ prefix = '', 'continuation-token': last = '' }: Context['query']): string {
    const rest = this.files()
      .filter((file) => file.endsWith(OBJECT))
      .map((file) => file.slice(0, -OBJECT.length))
      .filter((key) => key.startsWith(prefix) && key > last)
      .sort();
    const page = rest.slice(0, LISTING_PAGE_SIZE);
    const contents = page.map((key) => {
      const { size, mtime } = statSync(join(this.folder, BUCKET, `${key}${OBJECT}`));
      return `<Contents><Key>${key}</Key><Size>${size}</Size><LastModified>${mtime.toISOString()}</LastModified></Contents>`;
    });
    const next =
      page.length < rest.length ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : '';
    return `<ListBucketResult><Name>${BUCKET}</Name>${contents.join('')}${next}</ListBucketResult>`;
  }

  /** s3rver answers when it has read all data, which is shortly before all data is written. */
  private completeStore(): void {
    const { store } = this.server;
    const putObject = store.putObject.bind(store) as (object: { key: string }) => Promise<{ size: number }>;
    const putPart = store.putPart.bind(store) as (
      ...part: [string, string, string, unknown]
    ) => Promise<{ size: number }>;
    Object.assign(store, {
      putObject: async (object: { key: string }) => {
        const stored = await putObject(object);
        await waitUntilWritten(store.getResourcePath(BUCKET, object.key, 'object'), stored.size);
        return stored;
      },
      putPart: async (...part: [string, string, string, unknown]) => {
        const stored = await putPart(...part);
        await waitUntilWritten(join(this.uploadsFolder, part[1], part[2]), stored.size);
        return stored;
      },
    });
  }

  private get uploadsFolder(): string {
    return join(this.folder, BUCKET, '._S3rver_uploads');
  }

  private uploadIds(): string[] {
    return existsSync(this.uploadsFolder) ? readdirSync(this.uploadsFolder) : [];
  }

  private keyOf(uploadId: string): string {
    return readFileSync(join(this.uploadsFolder, uploadId, 'key'), 'utf8');
  }

  private files(): string[] {
    return readdirSync(join(this.folder, BUCKET), { recursive: true, encoding: 'utf8' });
  }
}

/** Whether it lists objects with the right key; s3rver refuses the others. */
const isListing = ({ method, path, query, headers }: Context): boolean =>
  method === 'GET' &&
  path.replace(/\/$/, '') === `/${BUCKET}` &&
  query['list-type'] === '2' &&
  (headers.authorization?.includes('Credential=S3RVER/') ?? false);

const waitUntilWritten = (path: string, size: number) =>
  until(() => existsSync(path) && statSync(path).size === size);

const errorXml = (code: string): string => `<Error><Code>${code}</Code></Error>`;

async function respond(context: Context, status: number, xml: string): Promise<void> {
  context.status = status;
  context.type = 'application/xml';
  context.body = xml;
}
