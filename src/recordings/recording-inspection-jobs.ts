import { Injectable, type OnModuleInit } from '@nestjs/common';
import { CallTransitions } from '../calls/machine/call-transitions';
import { UpdateCall } from '../calls/machine/update-call';
import { Database } from '../platform/database/database';
import type { Transaction } from '../platform/database/transaction';
import { Jobs } from '../platform/jobs/jobs';
import type { MediaInfo } from './media-inspector';
import { type InspectedObject, RecordingInspector } from './recording-inspector';

const JOB = 'inspect-recording';

interface RecordingRef {
  tenant_id: string;
  call_id: string;
  recording_id: string;
}

/** Inspects recordings whose inspection took longer than their upload could wait for it. */
@Injectable()
export class RecordingInspectionJobs implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly transitions: CallTransitions,
    private readonly changes: UpdateCall,
    private readonly inspector: RecordingInspector,
    private readonly jobs: Jobs,
  ) {}

  onModuleInit(): void {
    this.jobs.handle<RecordingRef>(JOB, (ref, signal) => this.run(ref, signal));
  }

  /**
   * Writes the job of a recording whose `inspection_pending` is set. A tenant's first job comes before the second ones
   * of other tenants, and so on: however many a tenant has, the others do not wait for all of them.
   */
  async enqueue(tx: Transaction, ref: RecordingRef): Promise<void> {
    const others = await tx.query(
      'SELECT FROM recordings WHERE tenant_id = $1 AND inspection_pending AND id <> $2',
      [ref.tenant_id, ref.recording_id],
    );
    await this.jobs.enqueue(tx, JOB, ref, { priority: -others.length });
  }

  /**
   * If the inspection cannot begin, the attempt fails: the job is retried later, and meanwhile the worker inspects the
   * recordings of other tenants.
   */
  private async run(ref: RecordingRef, signal: AbortSignal): Promise<void> {
    const object = await this.readPending(ref);
    // It was inspected by an earlier attempt, or deleted.
    if (!object) return;
    const info = await this.inspector.inspect(ref.tenant_id, object, signal);
    // The inspection may have been cut short; the next attempt is complete.
    signal.throwIfAborted();
    await this.save(ref, info);
  }

  private async readPending({ tenant_id, recording_id }: RecordingRef): Promise<InspectedObject | undefined> {
    const [[object]] = await this.database.readTenant<[InspectedObject]>(tenant_id, [
      {
        text: `SELECT storage_key AS key, size::float8 AS size, content_type
               FROM recordings WHERE id = $1 AND inspection_pending`,
        values: [recording_id],
      },
    ]);
    return object;
  }

  /** Staff are notified if the inspection found something. Locks the call first, as when a recording is deleted. */
  private save({ tenant_id, call_id, recording_id }: RecordingRef, info: MediaInfo): Promise<void> {
    return this.database.tenant(tenant_id, async (tx) => {
      const call = await this.transitions.lock(tx, tenant_id, call_id);
      const [before] = await tx.query<MediaInfo>(
        'SELECT content_type, duration FROM recordings WHERE id = $1 AND inspection_pending',
        [recording_id],
      );
      if (!before) return;
      await tx.query(
        'UPDATE recordings SET content_type = $2, duration = $3, inspection_pending = false WHERE id = $1',
        [recording_id, info.content_type, info.duration],
      );
      const isChanged = before.content_type !== info.content_type || before.duration !== info.duration;
      if (isChanged) await this.changes.recordChange(tx, call, 'recordings');
    });
  }
}
