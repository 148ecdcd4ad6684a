import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { extname, join } from 'node:path';
import { ProcessTimeout } from './process-timeout';
import type {
  InspectRequest,
  JoinRequest,
  JoinResult,
  ReadResponse,
  WorkerMessage,
} from './media-inspector.worker';

/** Reads the bytes from `start` to `end`, both included. */
export type ReadBytes = (start: number, end: number) => Promise<Uint8Array>;

/** How long the work on one file may take. A file that exceeds a limit ends the process. */
export interface TimeLimits {
  /** Milliseconds for the whole file. */
  durationMs: number;
  /** Milliseconds without a message from the process: some contents send a parser into an endless loop. */
  silenceMs: number;
  /** The times count while the process has a processor, which it gets last. */
  isPatient?: boolean;
}

/** What the inspection of one file may use. */
export interface InspectionLimits extends TimeLimits {
  /** Bytes of all reads. */
  bytes: number;
  /** Bytes of one read, which are held in memory. */
  readBytes: number;
  reads: number;
}

/** Compiled JavaScript, or TypeScript when tests run the sources; Node warns about the latter. */
const WORKER_PATH = join(__dirname, `media-inspector.worker${extname(__filename)}`);
const WORKER_FLAGS = [
  '--disable-warning=MODULE_TYPELESS_PACKAGE_JSON',
  '--max-old-space-size=96',
  '--max-semi-space-size=8',
];

/**
 * A process that inspects or joins one file after the other, until one is malformed or exceeds its limits. It is no thread of
 * the service, since V8 ends the whole process when a thread reaches its heap limit within one allocation. It does not
 * keep the service running.
 */
export class InspectionProcess {
  hasEnded = false;
  /** Milliseconds of the last work in which the process used next to no processor time, while it waited for a processor or for content. */
  idleMs = 0;
  private error: Error | undefined;
  private readonly worker: ChildProcess;
  private readonly end: Promise<unknown>;

  /** @param execPath Node */
  constructor(execPath = process.execPath) {
    this.worker = fork(WORKER_PATH, [], {
      execPath,
      execArgv: WORKER_FLAGS,
      env: {},
      serialization: 'advanced',
      // V8 describes a reached heap limit on many lines, which would fill the service's log.
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    }).on('error', (error) => (this.error = error));
    this.end = once(this.worker, 'exit')
      .catch(() => undefined)
      .finally(() => (this.hasEnded = true));
  }

  /**
   * Inspects a file; `report` receives each property as soon as it is known. A malformed file is no error.
   * @param size bytes
   * @param signal ends the inspection and the process
   * @returns false if it was ended by a limit of time or by the signal
   * @throws Error if the process could not be started or the file could not be read: another inspection may succeed
   */
  inspect(
    read: ReadBytes,
    size: number,
    limits: InspectionLimits,
    report: (metadata: object) => void,
    signal?: AbortSignal,
  ): Promise<boolean> {
    const reader = new LimitedReader(read, limits);
    const receive = (message: WorkerMessage) => {
      if ('id' in message) void this.answer(message.id, reader.read(message.start, message.end));
      else report(message);
    };
    return this.run({ size }, limits, receive, signal);
  }

  /**
   * Joins a part to a recording, from files to a file.
   * @returns undefined if they cannot be joined, or a limit of time or the signal ended it
   * @throws Error if the process could not be started or a file could not be read or written
   */
  async join(
    request: JoinRequest,
    limits: TimeLimits,
    signal?: AbortSignal,
  ): Promise<JoinResult | undefined> {
    let result: JoinResult | undefined;
    const receive = (message: WorkerMessage) => {
      if ('joined' in message) result = message.joined;
    };
    const isComplete = await this.run(request, limits, receive, signal);
    return isComplete ? result : undefined;
  }

  private async run(
    request: InspectRequest | JoinRequest,
    limits: TimeLimits,
    receive: (message: WorkerMessage) => void,
    signal?: AbortSignal,
  ): Promise<boolean> {
    let isComplete = true;
    const terminate = () => {
      isComplete = false;
      this.terminate();
    };
    // NaN is no process, whose time counts as used.
    const pid = limits.isPatient ? (this.worker.pid ?? Number.NaN) : Number.NaN;
    const timeout = new ProcessTimeout(pid, limits.durationMs, terminate);
    const silence = new ProcessTimeout(pid, limits.silenceMs, terminate);
    const isDone = new Promise<unknown>((resolve) => {
      this.worker.removeAllListeners('message').on('message', (message: WorkerMessage) => {
        silence.refresh();
        if (!('done' in message)) return receive(message);
        if (message.failure !== undefined) this.error = new Error(message.failure);
        resolve(message.reusable ? undefined : this.terminate());
      });
    });
    signal?.addEventListener('abort', terminate);
    this.worker.ref();
    this.worker.channel?.ref();
    this.send(request);
    await Promise.race([isDone, this.end]);
    this.worker.unref();
    this.worker.channel?.unref();
    timeout.clear();
    silence.clear();
    this.idleMs = Math.max(timeout.idleMs, silence.idleMs);
    signal?.removeEventListener('abort', terminate);
    if (this.error) throw this.error;
    return isComplete;
  }

  terminate(): void {
    this.hasEnded = true;
    this.worker.kill('SIGKILL');
  }

  private async answer(id: number, reading: Promise<Uint8Array | null>): Promise<void> {
    try {
      const found = await reading;
      if (found) this.send({ id, bytes: found });
      else this.terminate();
    } catch (cause) {
      this.error = new Error('A recording could not be read', { cause });
      this.terminate();
    }
  }

  private send(message: InspectRequest | JoinRequest | ReadResponse): void {
    // A process that has ended takes no message; its exit ends the work.
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
