import { connect, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import type { TestApp } from '../test-app';
import { until } from '../until';

export const BOUNDARY = 'x';
/** What precedes and follows the content of a file in a form. */
export const PART_HEAD = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="raw.bin"\r\n\r\n`;
export const PART_END = `\r\n--${BOUNDARY}--\r\n`;

/** An upload that is written to the socket in chunks, so that a test can pause or abort it anywhere. */
export class RawUpload {
  private received = '';
  private isClosed = false;

  private constructor(private readonly socket: Socket) {
    socket.setNoDelay(true);
    socket.on('data', (chunk: Buffer) => (this.received += chunk.toString('latin1')));
    socket.on('error', () => {});
    socket.on('close', () => (this.isClosed = true));
  }

  /** Connects and sends the request head. @param length of the body in bytes; undefined means chunked encoding */
  static async open({ url }: TestApp, path: string, token: string, length?: number): Promise<RawUpload> {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    const upload = new RawUpload(socket);
    const head = [
      `POST ${path} HTTP/1.1`,
      'Host: localhost',
      `Authorization: Bearer ${token}`,
      `Content-Type: multipart/form-data; boundary=${BOUNDARY}`,
      length === undefined ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`,
    ];
    await upload.write(`${head.join('\r\n')}\r\n\r\n`);
    return upload;
  }

  /** Resolves when the data has been handed to the system or the connection is closed. */
  async write(data: string | Buffer): Promise<void> {
    if (this.isClosed) return;
    await new Promise<void>((resolve) => {
      this.socket.once('close', resolve);
      this.socket.write(data, () => {
        this.socket.off('close', resolve);
        resolve();
      });
    });
    // The service runs in the same thread as the test, so let it read.
    await setImmediate();
  }

  writeChunk(data: Buffer): Promise<void> {
    return this.write(
      Buffer.concat([Buffer.from(`${data.length.toString(16)}\r\n`), data, Buffer.from('\r\n')]),
    );
  }

  get isAnswered(): boolean {
    return this.received.includes('\r\n\r\n');
  }

  /** Waits for the response. @returns its status */
  async status(): Promise<number> {
    await until(
      () => this.isAnswered,
      () => `no response, the connection is ${this.isClosed ? 'closed' : 'open'}`,
    );
    return Number(this.received.split(' ')[1]);
  }

  abort(): void {
    this.socket.destroy();
  }
}
