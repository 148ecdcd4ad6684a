import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage, request as send, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import S3rver from 's3rver';
import { until } from '../until';

const BUCKET = 'calls';
/** Ends the name of the file with the content of an object. */
const OBJECT = '._S3rver_object';
/** The folder of the multipart uploads. */
const UPLOADS = join(BUCKET, '._S3rver_uploads');
/** Objects in one answer of a listing; a real server has 1,000. */
const LISTING_PAGE_SIZE = 3;

/**
 * A real S3 server on a free loopback port with one bucket: a proxy in front of s3rver. It adds what s3rver lacks: listing
 * objects in the order of their keys and over several pages, listing and aborting multipart uploads, rejecting parts of an
 * aborted one, and answering only when all data is on the disk.
 */
export class S3Peer {
  private readonly folder = mkdtempSync(join(tmpdir(), 'video-queue-s3-'));
  private readonly refusals: { status: number; matches: (method: string, path: string) => boolean }[] = [];
  /** Sends whole objects with the status 200, whatever range is requested. */
  ignoresRange = false;
  /** Sends objects without a Content-Length, as a proxy may. */
  isChunked = false;
  private readonly s3 = new S3rver({
    address: '127.0.0.1',
    port: 0,
    directory: this.folder,
    silent: true,
    vhostBuckets: false,
    configureBuckets: [{ name: BUCKET, configs: [] }],
  });
  private s3Port = 0;
  private readonly server = createServer((request, response) => {
    // The client has disconnected, or the peer was stopped.
    this.answer(request, response).catch(() => response.destroy());
  });
  private port = 0;

  static async start(): Promise<S3Peer> {
    const peer = new S3Peer();
    peer.s3Port = (await peer.s3.run()).port;
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
      this.server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
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
    this.server.listen(this.port, '127.0.0.1');
    await once(this.server, 'listening');
    this.port = (this.server.address() as AddressInfo).port;
  }

  /** Closes all connections and stops listening. */
  async disconnect(): Promise<void> {
    const closed = once(this.server.close(), 'close');
    this.server.closeAllConnections();
    await closed;
  }

  async stop(): Promise<void> {
    await this.disconnect();
    await this.s3.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', headers } = request;
    const { pathname: path, searchParams } = new URL(request.url ?? '', this.endpoint);
    const query: Query = Object.fromEntries(searchParams);
    if (this.ignoresRange) delete headers.range;
    const refusal = this.refusals.find(({ matches }) => matches(method, path));
    if (refusal) return respond(response, refusal.status, errorXml('Refused'));
    if (method === 'GET' && 'uploads' in query)
      return respond(response, 200, this.uploadListing(query.prefix ?? ''));
    if (isListing(method, path, query, headers.authorization))
      return respond(response, 200, this.objectListing(query));
    const { uploadId } = query;
    if (uploadId === undefined) return this.pass(request, response, join(BUCKET, `${keyIn(path)}${OBJECT}`));
    if (!this.uploadIds().includes(uploadId)) return respond(response, 404, errorXml('NoSuchUpload'));
    if (method !== 'DELETE')
      return this.pass(request, response, join(UPLOADS, uploadId, query.partNumber ?? ''));
    rmSync(join(this.folder, UPLOADS, uploadId), { recursive: true });
    return respond(response, 204, '');
  }

  /**
   * Lets s3rver answer. It does when it has read all data, which is shortly before all data is written.
   * @param file that a PUT writes
   */
  private async pass(request: IncomingMessage, response: ServerResponse, file: string): Promise<void> {
    const { method, url, headers } = request;
    const passed = send({ host: '127.0.0.1', port: this.s3Port, method, path: url, headers, agent: false });
    const answered = once(passed, 'response') as Promise<[IncomingMessage]>;
    const [[answer]] = await Promise.all([answered, pipeline(request, passed)]);
    const { statusCode = 500 } = answer;
    const size = Number(headers['x-amz-decoded-content-length'] ?? headers['content-length']);
    if (method === 'PUT' && statusCode === 200) await waitUntilWritten(join(this.folder, file), size);
    if (this.isChunked && method === 'GET') delete answer.headers['content-length'];
    response.writeHead(statusCode, answer.headers);
    await pipeline(answer, response);
  }

  /** https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListMultipartUploads.html */
  private uploadListing(prefix: string): string {
    const uploads = this.uploadIds()
      .filter((id) => this.keyOf(id).startsWith(prefix))
      .map((id) => `<Upload><Key>${this.keyOf(id)}</Key><UploadId>${id}</UploadId></Upload>`);
    return `<ListMultipartUploadsResult><Bucket>${BUCKET}</Bucket>${uploads.join('')}</ListMultipartUploadsResult>`;
  }

  /** https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListObjectsV2.html; a continuation token is the last key. */
  private objectListing({ prefix = '', 'continuation-token': last = '' }: Query): string {
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

  private get uploadsFolder(): string {
    return join(this.folder, UPLOADS);
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

type Query = Partial<Record<string, string>>;

const keyIn = (path: string): string => decodeURIComponent(path.slice(`/${BUCKET}/`.length));

/** Whether it lists objects with the right key; s3rver refuses the others. */
const isListing = (method: string, path: string, query: Query, authorization = ''): boolean =>
  method === 'GET' &&
  path.replace(/\/$/, '') === `/${BUCKET}` &&
  query['list-type'] === '2' &&
  authorization.includes('Credential=S3RVER/');

const waitUntilWritten = (path: string, size: number) =>
  until(() => existsSync(path) && statSync(path).size === size);

const errorXml = (code: string): string => `<Error><Code>${code}</Code></Error>`;

async function respond(response: ServerResponse, status: number, xml: string): Promise<void> {
  response.writeHead(status, { 'content-type': 'application/xml' }).end(xml);
}
