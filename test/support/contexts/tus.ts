import { createCipheriv, createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { Upload, type UploadOptions } from 'tus-js-client';
import { UploadSweeper } from '../../../src/recordings/tus/upload-sweeper';
import type { Answer, Api } from '../http/api';
import { ensureDocumented } from '../http/contract';
import { expectStatus } from '../builders';
import type { TestApp } from '../test-app';
import { until } from '../until';

const WEBM = readFileSync(join(__dirname, '..', '..', 'fixtures', 'call.webm'));
export const MIB = 1024 * 1024;
export const CONTENT_HEADERS = { 'content-type': 'application/offset+octet-stream' };

/** A text with the first bytes of a recording, so that it can be sent as a string. */
export const TEXTUAL_RECORDING = 'RIFF    WAVEfmt '.padEnd(64);

/** Creates an upload for TEXTUAL_RECORDING. @returns its id */
export async function beginUpload(api: Api, callId: string): Promise<string> {
  const headers = { 'tus-resumable': '1.0.0', 'upload-length': String(TEXTUAL_RECORDING.length) };
  const answer = await api.post(`/api/v1/calls/${callId}/recording/tus`, undefined, { headers });
  expectStatus(answer, 201);
  return answer.headers.get('location')?.split('/').at(-1) ?? '';
}

/** Headers of a request that sends all of TEXTUAL_RECORDING. */
export const WHOLE_UPLOAD_HEADERS = { 'tus-resumable': '1.0.0', 'upload-offset': '0', ...CONTENT_HEADERS };

/** A recording of `size` bytes: a WebM file followed by data that does not repeat. */
export function recordingOf(size: number, seed = 'a'): Buffer<ArrayBuffer> {
  // The key stream of a cipher does not repeat, and it is the same for each seed.
  const cipher = createCipheriv('aes-128-ctr', Buffer.alloc(16, seed), Buffer.alloc(16));
  const content = Buffer.from(cipher.update(Buffer.alloc(size)).buffer);
  WEBM.copy(content);
  return content;
}

/** Runs the sweep of uploads and waits for the jobs that it enqueues. */
export async function sweepUploads(test: TestApp): Promise<void> {
  await test.get(UploadSweeper).sweep();
  await until(async () => {
    const { rows } = await test.db.query(
      `SELECT FROM pgboss.job WHERE name = 'assemble-recording-upload' AND state IN ('created', 'retry', 'active')`,
    );
    return rows.length === 0;
  });
}

/** The SHA-256 hash in hexadecimal. */
export const sha256 = (content: Buffer): string => createHash('sha256').update(content).digest('hex');

interface TusRequest {
  body?: Buffer<ArrayBuffer> | string | ReadableStream;
  headers?: Record<string, string>;
}

/** Sends raw requests of the tus protocol as one user of one service. */
export class TusClient {
  constructor(
    private readonly url: string,
    private readonly token: string,
  ) {}

  async send(method: string, path: string, { body, headers }: TusRequest = {}): Promise<Answer> {
    const response = await fetch(this.url + path, {
      method,
      headers: { authorization: `Bearer ${this.token}`, 'tus-resumable': '1.0.0', ...headers },
      ...(body === undefined ? {} : { body, duplex: 'half' }),
    });
    const text = await response.text();
    const answer = {
      status: response.status,
      body: text === '' ? '' : JSON.parse(text),
      headers: response.headers,
    };
    ensureDocumented(method, path, answer);
    return answer;
  }

  create(callId: string, length?: number, request: TusRequest = {}): Promise<Answer> {
    const size: Record<string, string> =
      length === undefined ? { 'upload-defer-length': '1' } : { 'upload-length': String(length) };
    const headers = { ...size, ...request.headers };
    return this.send('POST', `/api/v1/calls/${callId}/recording/tus`, { ...request, headers });
  }

  /** Creates an upload. @returns its location. @throws Error unless the response is 201 */
  async begin(callId: string, length?: number, request?: TusRequest): Promise<string> {
    const { status, headers, body } = await this.create(callId, length, request);
    if (status !== 201) throw new Error(`${status}: ${JSON.stringify(body)}`);
    return headers.get('location') ?? '';
  }

  patch(location: string, offset: number, body: TusRequest['body'], headers = {}): Promise<Answer> {
    const needed = { ...CONTENT_HEADERS, 'upload-offset': String(offset) };
    return this.send('PATCH', location, { body: body ?? '', headers: { ...needed, ...headers } });
  }

  head = (location: string): Promise<Answer> => this.send('HEAD', location);

  /** The number of stored bytes; -1 if the upload does not exist. */
  async offset(location: string): Promise<number> {
    return Number((await this.head(location)).headers.get('upload-offset') ?? -1);
  }

  /** Starts a PATCH request of `length` bytes at `offset`, sends `bytes` and leaves the request open. */
  open(location: string, offset: number, length: number, bytes: Buffer): OpenPatch {
    const request = httpRequest(this.url + location, {
      method: 'PATCH',
      headers: {
        authorization: `Bearer ${this.token}`,
        'tus-resumable': '1.0.0',
        'upload-offset': String(offset),
        'content-length': String(length),
        ...CONTENT_HEADERS,
      },
    });
    const answer = new Promise<number | undefined>((resolve) => {
      request.on('error', () => resolve(undefined));
      request.on('response', (response) => {
        resolve(response.statusCode);
        void buffer(response).catch(() => {});
      });
    });
    const { promise: sent, resolve } = Promise.withResolvers<boolean>();
    request.write(bytes, (error) => resolve(!error));
    return { answer, sent, abort: () => request.destroy() };
  }

  /** The official tus client, which browsers use. */
  client(content: Buffer, options: UploadOptions): Upload {
    return new Upload(content, { ...options, headers: { authorization: `Bearer ${this.token}` } });
  }
}

interface OpenPatch {
  /** The status of the response; undefined if the connection fails. */
  answer: Promise<number | undefined>;
  /** Resolves when the bytes were sent, to whether this succeeded. */
  sent: Promise<boolean>;
  abort(): void;
}

/** Uploads the whole content. @returns the requests and the recording-id of the last response */
export function uploadAll(
  peer: TusClient,
  content: Buffer,
  options: UploadOptions,
): Promise<{ url: string; requests: string[]; recordingId: string | undefined }> {
  const requests: string[] = [];
  let recordingId: string | undefined;
  return new Promise((resolve, reject) => {
    const upload = peer.client(content, {
      ...options,
      onAfterResponse: (request, response) => {
        requests.push(`${request.getMethod()} ${response.getStatus()}`);
        recordingId = response.getHeader('recording-id');
      },
      onError: reject,
      onSuccess: () => resolve({ url: upload.url ?? '', requests, recordingId }),
    });
    upload.start();
  });
}
