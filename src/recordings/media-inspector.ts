import { Logger } from '@nestjs/common';
import { FairQueue } from './fair-queue';
import {
  type InspectionLimits,
  InspectionProcess,
  type ReadBytes,
  type TimeLimits,
} from './inspection-process';
import type { JoinRequest, JoinResult } from './media-inspector.worker';

/** Metadata of a recording's container. */
export interface MediaInfo {
  /** Distinguishes audio from video if the container format is supported. */
  content_type: string;
  /** Whole seconds; null if it is neither stored in the container nor found within the limits. */
  duration: number | null;
}

/** A file whose metadata is read. */
export interface MediaFile {
  read: ReadBytes;
  /** Bytes. */
  size: number;
  /** Content type detected from the first bytes. */
  type: string;
}

export interface BriefInspection {
  info: MediaInfo;
  /** Whether the inspection began and ended in its time: another one would find nothing more. */
  isComplete: boolean;
}

/**
 * Joins a part to a recording.
 * @returns undefined if they cannot be joined, unless the signal ended it
 * @throws Error if a file could not be read or written or no process could be started
 */
export type Join = (request: JoinRequest) => Promise<JoinResult | undefined>;

/** Browsers write WebM without a duration, so all of it has to be read: above 64 MiB, it has no duration. */
export const INSPECTION_LIMITS: InspectionLimits = {
  durationMs: 20_000,
  silenceMs: 5_000,
  bytes: 64 * 1024 * 1024,
  readBytes: 4 * 1024 * 1024,
  reads: 1000,
};

/** A part that is joined is written at once, however long the recording is. */
const JOIN_LIMITS: TimeLimits = { durationMs: 15 * 60_000, silenceMs: 20_000, isPatient: true };

/** An unused process ends after this time, to free its memory. Starting one and loading the parsers takes 100 ms of CPU. */
const KEEP_PROCESS_MS = 5_000;

/**
 * How much longer than an inspection that ended its process the tenant's next one waits: the next process costs CPU, too. The
 * time in which it used next to no processor does not count: on a busy machine the pause would take minutes.
 */
const PAUSE_FACTOR = 5;

interface UnusedProcess {
  worker: InspectionProcess;
  timeout: NodeJS.Timeout;
}

const logger = new Logger('Media');

/** The tenant's next inspection has to wait, because a file of it ended a process. */
export class InspectionPausedError extends Error {
  constructor() {
    super('The inspections of the tenant are paused');
  }
}

/**
 * Reads the metadata of containers, and as little of the files as possible, and joins recordings. A malformed file is no
 * error: it keeps its type and has no duration. The work runs in a process that ends when a file is malformed or exceeds the limits: a
 * file of a few hundred bytes can make a parser use any amount of memory or time. Of each tenant one file is inspected
 * at a time, and tenants take turns; after such a file the tenant's next one waits for a while.
 */
export class MediaInspector {
  private readonly queue: FairQueue;
  private readonly unusedProcesses: UnusedProcess[] = [];
  /** Tenants whose last file ended a process. */
  private readonly distrustedTenants = new Set<string>();

  /**
   * @param processes files that are inspected at a time
   * @param keepProcessMs after this time an unused process ends
   * @param execPath Node, by default that of this process
   */
  constructor(
    processes: number,
    private readonly keepProcessMs = KEEP_PROCESS_MS,
    private readonly execPath?: string,
  ) {
    this.queue = new FairQueue(processes);
  }

  /**
   * Inspects a file for at most `limits.durationMs`, which includes the time in which it waits for its turn. It never
   * fails: if the file cannot be inspected in this time, the inspection is not complete.
   */
  async inspectBriefly(
    tenantId: string,
    file: MediaFile,
    limits = INSPECTION_LIMITS,
  ): Promise<BriefInspection> {
    const deadline = performance.now() + limits.durationMs;
    const info: MediaInfo = { content_type: file.type, duration: null };
    const inspection = this.queue.run(tenantId, async () => {
      const durationMs = deadline - performance.now();
      if (durationMs <= 0) return false;
      return this.inProcess(tenantId, (worker) =>
        worker.inspect(file.read, file.size, { ...limits, durationMs }, reportTo(info)),
      );
    });
    const isComplete = await withTimeout(
      limits.durationMs,
      // If no process can be started or the file cannot be read, recordings are accepted without metadata.
      inspection.catch((error: unknown) => {
        logger.error(error);
        return false;
      }),
    );
    // Copied, since the inspection may not have ended.
    return { info: { ...info }, isComplete };
  }

  /**
   * Inspects a file for at most `limits.durationMs`, counted from its turn while its process has a processor.
   * @param signal ends the inspection
   * @returns what was found within the limits: another inspection would find nothing more, unless the signal ended it
   * @throws InspectionPausedError instead of waiting for the end of the tenant's pause; Error if the file could not be
   *   read or no process could be started
   */
  async inspect(
    tenantId: string,
    file: MediaFile,
    signal: AbortSignal,
    limits = INSPECTION_LIMITS,
  ): Promise<MediaInfo> {
    if (this.queue.isPaused(tenantId)) throw new InspectionPausedError();
    const info: MediaInfo = { content_type: file.type, duration: null };
    const patient = { ...limits, isPatient: true };
    await this.queue.run(tenantId, () =>
      this.inProcess(tenantId, (worker) =>
        worker.inspect(file.read, file.size, patient, reportTo(info), signal),
      ),
    );
    return info;
  }

  /**
   * Calls `work` when it is the tenant's turn, which lasts until its end: its files take space, as a process takes memory.
   * @param signal ends the joining; if it is aborted during the wait, `work` is not called
   * @returns the result of `work`
   */
  joinInTurn<Result>(
    tenantId: string,
    work: (join: Join) => Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result> {
    return this.queue.run(tenantId, async () => {
      signal?.throwIfAborted();
      return work((request) =>
        this.inProcess(tenantId, (worker) => worker.join(request, JOIN_LIMITS, signal)),
      );
    });
  }

  private async inProcess<Result>(
    tenantId: string,
    work: (worker: InspectionProcess) => Promise<Result>,
  ): Promise<Result> {
    const begin = performance.now();
    const worker = this.takeUnused(tenantId) ?? new InspectionProcess(this.execPath);
    try {
      return await work(worker);
    } finally {
      if (worker.hasEnded) {
        this.distrustedTenants.add(tenantId);
        this.queue.pause(tenantId, PAUSE_FACTOR * (performance.now() - begin - worker.idleMs));
      } else {
        this.distrustedTenants.delete(tenantId);
        this.keepUnused(worker);
      }
    }
  }

  /** A tenant whose last file ended a process gets none of these: others would wait for the start of another process. */
  private takeUnused(tenantId: string): InspectionProcess | undefined {
    if (this.distrustedTenants.has(tenantId)) return undefined;
    for (let unused; (unused = this.unusedProcesses.pop());) {
      clearTimeout(unused.timeout);
      if (!unused.worker.hasEnded) return unused.worker;
    }
    return undefined;
  }

  private keepUnused(worker: InspectionProcess): void {
    const timeout = setTimeout(() => worker.terminate(), this.keepProcessMs).unref();
    this.unusedProcesses.push({ worker, timeout });
  }
}

const reportTo = (info: MediaInfo) => (found: object) => void Object.assign(info, found);

/** @returns false after `ms` if `work` has not ended */
async function withTimeout(ms: number, work: Promise<boolean>): Promise<boolean> {
  const { promise: timeout, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), ms);
  const result = await Promise.race([work, timeout]);
  clearTimeout(timer);
  return result;
}
