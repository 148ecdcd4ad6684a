import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { Database } from '../../platform/database/database';
import { Jobs } from '../../platform/jobs/jobs';
import { customerNotHeld } from '../../tenancy/legal-holds';
import { type Actor, runJobFor } from '../../platform/logging/request-context';
import { AssemblyQueue, type PendingUpload } from './assembly-queue';
import { UPLOAD_TTL_SECONDS } from './recording-uploads.service';
import { UploadAssembler } from './upload-assembler';
import { isPermanentError } from './upload-errors';

/** Waiting jobs are stored under this name, so renaming it would lose them. */
const QUEUE = 'assemble-recording-upload';
/** Enough for the largest recording on a slow storage. */
const MAX_ASSEMBLY_SECONDS = 3600;
/** Uploads that one instance assembles at a time, so that a large one does not hold up the others. */
const JOB_CONCURRENCY = 2;

/** A live recording that receives nothing for this time has ended: its tab was closed. */
const LIVE_IDLE_SECONDS = 60 * 60;

/** Ends, assembles and deletes uploads that no client is working on, every minute. */
@Injectable()
export class UploadSweeper implements OnModuleInit {
  private readonly logger = new Logger(UploadSweeper.name);

  constructor(
    private readonly database: Database,
    private readonly queue: AssemblyQueue,
    private readonly assembler: UploadAssembler,
    private readonly jobs: Jobs,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.jobs.schedule('settle-recording-uploads', '* * * * *', () => this.sweep());
    const options = {
      concurrency: JOB_CONCURRENCY,
      expireInSeconds: MAX_ASSEMBLY_SECONDS,
      isExclusive: true,
    };
    this.jobs.handle<PendingUpload>(
      QUEUE,
      // The recording is attributed to the user who uploaded it.
      (upload, signal) => runJobFor(actorOf(upload), () => this.assemble(upload, signal)),
      options,
    );
  }

  /**
   * Ends live recordings that are idle, enqueues a job for each completed upload, for example of a process that died,
   * and deletes expired ones.
   */
  async sweep(): Promise<void> {
    await this.endIdleLiveUploads();
    const pending = await this.queue.findPending();
    await this.database.system(async (tx) => {
      for (const upload of pending) await this.jobs.enqueue(tx, QUEUE, upload, { key: upload.id });
    });
    await this.deleteExpired();
  }

  /** An upload that fails is attempted again by the job of a later sweep, after its lease has expired. */
  private async assemble({ tenant_id, id }: PendingUpload, signal: AbortSignal): Promise<void> {
    await this.assembler.assemble(tenant_id, id, signal).catch((error: unknown) => {
      if (signal.aborted) throw error;
      if (isPermanentError(error)) return;
      this.logger.error(error, `Completed upload ${id} could not be assembled`);
    });
  }

  /**
   * Completes live recordings (Upload-Defer-Length) that are idle with the bytes received so far: they are playable up
   * to there.
   */
  private async endIdleLiveUploads(): Promise<void> {
    await this.database.system((tx) =>
      tx.query(
        `UPDATE recording_uploads SET length = received
         WHERE length IS NULL AND received > 0 AND finished_at IS NULL AND expires_at <= $1`,
        // Every part that is received extends the expiry.
        [this.clock.in(UPLOAD_TTL_SECONDS - LIVE_IDLE_SECONDS)],
      ),
    );
  }

  /**
   * Deletes expired uploads that are incomplete or finished, but none that has to be assembled, is live, or belongs to a
   * call that a legal hold keeps: the bytes of an incomplete one are all that there is of a recording.
   */
  private async deleteExpired(): Promise<void> {
    await this.database.system((tx) =>
      tx.query(
        `DELETE FROM recording_uploads u USING calls c
         WHERE u.expires_at <= $1 AND (u.finished_at IS NOT NULL OR u.received = 0 OR u.received < u.length)
           AND c.tenant_id = u.tenant_id AND c.id = u.call_id AND ${customerNotHeld('c.tenant_id', 'c.customer_id')}`,
        [this.clock.now()],
      ),
    );
  }
}

const actorOf = ({ tenant_id, user_id }: PendingUpload): Actor | undefined =>
  user_id ? { tenant_id, user_id } : undefined;
