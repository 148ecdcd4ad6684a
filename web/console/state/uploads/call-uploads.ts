import { signal } from '@preact/signals-core';
import { ApiError } from '../../../shared/api/client';
import { asApiError, delayBefore, isPassing } from '../../../shared/api/retry';
import { newKey } from '../../../shared/new-key';
import { pause } from '../../../shared/pause';
import { TaskLimit } from '../../../shared/task-limit';
import type { SendFile } from './send-file';

/** A file on its way to a call, or one that did not arrive. */
export interface CallUpload {
  id: string;
  call_id: string;
  file: File;
  /** 0 to 1. */
  share: number;
  /** Why the last attempt failed. */
  error: ApiError | null;
  /** Whether no further attempt follows. The user can start it again. */
  hasEnded: boolean;
}

interface UploadListeners {
  /** The files of the call may have changed. @returns when they are shown */
  onChange: () => Promise<void>;
  onFailure: (upload: CallUpload) => void;
}

/** Few at a time: the service refuses more than 20 unfinished uploads of one user. */
const AT_A_TIME = 3;
/** Failures after which the user decides: the pauses between the attempts take a good minute. */
const MAX_FAILURES = 8;

/** What the service refuses now and may accept later: other tabs of the user upload, too. */
const REFUSED_FOR_NOW = 'too_many_uploads';
/** The file was changed after an attempt whose answer was lost. */
const KEY_REUSED = 'idempotency_key_reused';

/** Uploads files to calls, also after their panel has gone, and repeats them while the network or the service is away. */
export class CallUploads {
  readonly all = signal<readonly CallUpload[]>([]);
  private readonly limit = new TaskLimit(AT_A_TIME);
  private readonly running = new Map<string, AbortController>();

  constructor(
    private readonly send: SendFile,
    private readonly wait: (ms: number, signal: AbortSignal) => Promise<void> = pause,
  ) {}

  /** Begins uploads. */
  add(callId: string, files: readonly File[], listeners: UploadListeners): void {
    for (const file of files) {
      const upload = { id: newKey(), call_id: callId, file, share: 0, error: null, hasEnded: false };
      this.all.value = [...this.all.value, upload];
      void this.run(upload, listeners);
    }
  }

  /** Starts a failed upload again. */
  retry(ended: CallUpload, listeners: UploadListeners): void {
    if (this.running.has(ended.id)) return;
    const id = ended.error?.code === KEY_REUSED ? newKey() : ended.id;
    const upload = { ...ended, id, share: 0, error: null, hasEnded: false };
    this.all.value = this.all.value.map((one) => (one.id === ended.id ? upload : one));
    void this.run(upload, listeners);
  }

  cancel(id: string): void {
    this.running.get(id)?.abort();
    this.remove(id);
  }

  /** Ends all uploads: nothing is sent for the next user. */
  close(): void {
    for (const { id } of this.all.value) this.cancel(id);
  }

  private async run(upload: CallUpload, { onChange, onFailure }: UploadListeners): Promise<void> {
    const { id } = upload;
    const abort = new AbortController();
    this.running.set(id, abort);
    const error = await this.sendUntilAnswered(upload, abort.signal).then(
      () => null,
      (problem: unknown) => asApiError(problem),
    );
    this.running.delete(id);
    if (error && !abort.signal.aborted) {
      const ended = { error, hasEnded: true };
      this.change(id, ended);
      onFailure({ ...upload, ...ended });
    }
    // What was cancelled or has failed may have arrived nevertheless.
    await onChange();
    if (!error) this.remove(id);
  }

  /** Others are sent while it pauses. @throws ApiError when repeating does not help; the signal's reason if it was cancelled */
  private async sendUntilAnswered({ id, call_id, file }: CallUpload, signal: AbortSignal): Promise<void> {
    const onProgress = (share: number) => this.change(id, { share, error: null });
    const attempt = { callId: call_id, file, key: id, signal, onProgress };
    for (let failures = 1; ; failures++) {
      try {
        return await this.limit.run(async () => {
          signal.throwIfAborted();
          await this.send(attempt);
        });
      } catch (error) {
        signal.throwIfAborted();
        const problem = asApiError(error);
        if (failures >= MAX_FAILURES || !mayPass(problem, failures)) throw problem;
        this.change(id, { share: 0, error: problem });
        await this.wait(delayBefore(problem, failures), signal);
        signal.throwIfAborted();
      }
    }
  }

  private change(id: string, changed: Partial<CallUpload>): void {
    this.all.value = this.all.value.map((one) => (one.id === id ? { ...one, ...changed } : one));
  }

  private remove(id: string): void {
    this.all.value = this.all.value.filter((one) => one.id !== id);
  }
}

const mayPass = (problem: ApiError, failures: number): boolean =>
  problem.code === REFUSED_FOR_NOW || isPassing(problem, failures);
