// Large uploads and downloads over HTTP, generated and hashed as streams, so that they need almost no memory.
import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { json } from 'node:stream/consumers';

const CHUNK_BYTES = 256 * 1024;

/** The header of a browser's WebM: the codecs, without a duration. */
const SAMPLE = readFileSync(new URL('../../test/fixtures/call.webm', import.meta.url));
const CLUSTER = Buffer.from('1f43b675', 'hex');
const head = SAMPLE.subarray(0, SAMPLE.indexOf(CLUSTER));

/**
 * Generates a WebM recording of the given size as a browser writes it: the header, then clusters of one frame each
 * (RFC 9559, 5.1.3), all different.
 */
export function recording(size) {
  const noise = randomBytes(CHUNK_BYTES);
  const hash = createHash('sha256');
  const chunkAt = (at) => {
    const chunk = Buffer.from(noise);
    const start = at === 0 ? head.copy(chunk) : 0;
    clusterHeader(CHUNK_BYTES - start, at / CHUNK_BYTES).copy(chunk, start);
    return chunk.subarray(0, size - at);
  };
  /** The last bytes. */
  const end = (length) => {
    const chunks = [];
    for (let at = Math.floor((size - length) / CHUNK_BYTES) * CHUNK_BYTES; at < size; at += CHUNK_BYTES)
      chunks.push(chunkAt(at));
    return Buffer.concat(chunks).subarray(-length);
  };
  const chunks = function* () {
    for (let at = 0; at < size; at += CHUNK_BYTES) {
      const chunk = chunkAt(at);
      hash.update(chunk);
      yield chunk;
    }
  };
  return { size, chunks, end, digest: () => hash.digest('hex') };
}

/** The header of a cluster with one frame. @param size bytes of the cluster including the header */
function clusterHeader(size, number) {
  const header = Buffer.alloc(35);
  CLUSTER.copy(header);
  header.writeBigUInt64BE((1n << 56n) | BigInt(size - 12), 4);
  // Timestamp, in milliseconds.
  header.writeUInt16BE(0xe788, 12);
  header.writeBigUInt64BE(BigInt(number * 250), 14);
  // SimpleBlock: track 1, at the time of the cluster, a key frame.
  header.writeUInt8(0xa3, 22);
  header.writeBigUInt64BE((1n << 56n) | BigInt(size - 31), 23);
  header.writeUInt32BE(0x81000080, 31);
  return header;
}

/** Uploads it as the file of a multipart form. @returns the response body */
export async function uploadForm(url, headers, content) {
  const boundary = `bench-${randomBytes(8).toString('hex')}`;
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="call.webm"\r\nContent-Type: video/webm\r\n\r\n`;
  const tail = `\r\n--${boundary}--\r\n`;
  const body = function* () {
    yield Buffer.from(head);
    yield* content.chunks();
    yield Buffer.from(tail);
  };
  const length = head.length + content.size + tail.length;
  const type = { 'content-type': `multipart/form-data; boundary=${boundary}`, 'content-length': length };
  return send('POST', url, { ...headers, ...type }, body());
}

/** Uploads it as the body of the request. */
export const uploadPlain = (url, content) =>
  send('POST', url, { 'content-length': content.size }, content.chunks());

async function send(method, url, headers, body) {
  const outgoing = request(url, { method, headers });
  const answered = answerTo(outgoing);
  // A response before the end of the upload contains the error.
  await Promise.race([finished(Readable.from(body, { objectMode: false }).pipe(outgoing)), answered]);
  const response = await answered;
  if (response.statusCode >= 300)
    throw new Error(`${response.statusCode}: ${JSON.stringify(await json(response))}`);
  return response.headers['content-type']?.includes('json') ? json(response) : response.resume();
}

/** @returns status, size and hash of the response */
export async function download(url, headers) {
  const outgoing = request(url, { headers });
  outgoing.end();
  const response = await answerTo(outgoing);
  const hash = createHash('sha256');
  let size = 0;
  for await (const chunk of response) {
    size += chunk.length;
    hash.update(chunk);
  }
  return { status: response.statusCode, size, sha256: hash.digest('hex') };
}

function answerTo(outgoing) {
  return new Promise((resolve, reject) => {
    outgoing.once('response', resolve);
    outgoing.once('error', reject);
  });
}
