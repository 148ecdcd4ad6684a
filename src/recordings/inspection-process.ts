import { fork } from 'node:child_process';
import { once } from 'node:events';
import { extname, join } from 'node:path';
import { MAX_FRAME_MS } from './parts/webm/part-duration';
import { ProcessTimeout } from './process-timeout';
import type { InspectRequest, ReadResponse, WorkerMessage } from './media-inspector.worker';

/** Reads the bytes from `start` to `end`, both included. */
export type ReadBytes = (start: number, end: number) => Promise<Uint8Array>;

/** What the inspection of one file may use. A file that exceeds a limit ends the process. */
export interface InspectionLimits {
  /** Milliseconds for the whole file. */
  durationMs: number;
  /** Milliseconds without a message from the process: some contents send a parser into an endless loop. */
  silenceMs: number;
  /** Bytes of all reads. */
  bytes: number;
  /** Bytes of one read, which are held in memory. */
  readBytes: number;
  reads: number;
  /** The times count while the process has a processor, which it gets last. */
  isPatient?: boolean;
}

/** Compiled JavaScript, or TypeScript when tests run the sources; Node warns about the latter. */
const WORKER_PATH = join(__dirname, `media-inspector.worker${extname(__filename)}`);
const WORKER_FLAGS = [
  '--disable-warning=MODULE_TYPELESS_PACKAGE_JSON',
  '--max-old-space-size=96',
  '--max-semi-space-size=8',
];

/**
 * A process that inspects one file after the other, until one is malformed or exceeds its limits. It is no thread of
 * the service, since V8 ends the whole process when a thread reaches its heap limit within one allocation. It does not
 * keep the service running.
 */
export class InspectionProcess {
  hasEnded = false;
  /** Milliseconds of the last inspection in which the process used next to no processor time, while it waited for a processor or for content. */
  idleMs = 0;
  private startError: Error | undefined;
  private readonly worker = fork(WORKER_PATH, [], {
    execArgv: WORKER_FLAGS,
    env: {},
    serialization: 'advanced',
    // V8 describes a reached heap limit on many lines, which would fill the service's log.
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  }).on('error', (error) => (this.startError = error));
  private readonly end = once(this.worker, 'exit')
    .catch(() => undefined)
    .finally(() => (this.hasEnded = true));

  /**
   * Inspects a file; `report` receives each property as soon as it is known. A malformed file is no error.
   * @param size bytes
   * @param signal ends the inspection and the process
   * @returns false if it was ended by a limit of time or by the signal
   * @throws Error if the process could not be started or the file could not be read: another inspection may succeed
   */
  async inspect(
    read: ReadBytes,
    size: number,
    limits: InspectionLimits,
    report: (metadata: object) => void,
    signal?: AbortSignal,
  ): Promise<boolean> {
    let isComplete = true;
    let readError: Error | undefined;
    const terminate = () => {
      isComplete = false;
      this.terminate();
    };
    // NaN is no process, whose time counts as used.
    const pid = limits.isPatient ? (this.worker.pid ?? Number.NaN) : Number.NaN;
    const timeout = new ProcessTimeout(pid, limits.durationMs, terminate);
    const silence = new ProcessTimeout(pid, limits.silenceMs, terminate);
    const reader = new LimitedReader(read, limits);
    const isDone = new Promise<unknown>((resolve) => {
      this.worker.removeAllListeners('message').on('message', (message: WorkerMessage) => {
        silence.refresh();
        if ('done' in message) resolve(message.reusable ? undefined : this.terminate());
        else if ('id' in message)
          this.answer(message.id, reader.read(message.start, message.end)).catch((cause: unknown) => {
            readError = new Error('A recording could not be read', { cause });
            this.terminate();
          });
        else report(message);
      });
    });
    signal?.addEventListener('abort', terminate);
    this.worker.ref();
    this.worker.channel?.ref();
    this.send({ size, maxFrameMs: MAX_FRAME_MS });
    await Promise.race([isDone, this.end]);
    this.worker.unref();
    this.worker.channel?.unref();
    timeout.clear();
    silence.clear();
    this.idleMs = Math.max(timeout.idleMs, silence.idleMs);
    signal?.removeEventListener('abort', terminate);
    const error = this.startError ?? readError;
    if (error) throw error;
    return isComplete;
  }

  terminate(): void {
    this.hasEnded = true;
    this.worker.kill('SIGKILL');
  }

  private async answer(id: number, reading: Promise<Uint8Array | null>): Promise<void> {
    const found = await reading;
    if (found) this.send({ id, bytes: found });
    else this.terminate();
  }

  private send(message: InspectRequest | ReadResponse): void {
    // A process that has ended takes no message; its exit ends the inspection.
    this.worker.send(message, () => undefined);
  }
}

/** Reads within the limits of one file. */
class LimitedReader {
  private bytes = 0;
  private reads = 0;

  constructor(
    private readonly readBytes: ReadBytes,
    private readonly limits: InspectionLimits,
  ) {}

  /** @param end included. @returns null when a limit is exceeded */
  async read(start: number, end: number): Promise<Uint8Array | null> {
    const length = end - start + 1;
    this.reads += 1;
    this.bytes += length;
    const { bytes, readBytes, reads } = this.limits;
    const isTooMuch = length > readBytes || this.bytes > bytes || this.reads > reads;
    return isTooMuch ? null : this.readBytes(start, end);
  }
}
