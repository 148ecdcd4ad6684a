import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type DeletedDepartment, DepartmentEndings } from '../../departments/department-endings';
import type { Transaction } from '../../platform/database/transaction';
import { customerNotHeld } from '../../tenancy/legal-holds';
import { recordingDepartmentId } from '../recording-department';

/** Uploads that one transaction ends. */
const ENDED_AT_ONCE = 100;

/** Not complete, so it waits for further bytes: those of complete ones become recordings. */
const IS_OPEN = 'u.finished_at IS NULL AND (u.length IS NULL OR u.received < u.length)';

/** Ends the resumable uploads of recordings that were made in a deleted department, which take no further bytes. */
@Injectable()
export class EndDepartmentUploads implements OnModuleInit {
  constructor(private readonly endings: DepartmentEndings) {}

  onModuleInit(): void {
    this.endings.register('uploads', {
      priority: 4,
      runBatch: (tx, department) => this.endOf(tx, department),
    });
  }

  /**
   * A live recording is complete with the bytes received so far, as one whose tab was closed. Others are deleted, and the next
   * sweep of the storage deletes their parts; a legal hold keeps them, since they are all that there is of a recording.
   */
  private async endOf(tx: Transaction, { tenant_id, id }: DeletedDepartment): Promise<boolean> {
    const batch = await tx.query<{ id: string }>(
      `SELECT u.id FROM recording_uploads u JOIN calls c ON c.tenant_id = u.tenant_id AND c.id = u.call_id
       WHERE u.tenant_id = $1 AND ${recordingDepartmentId('u.user_id')} = $2 AND ${IS_OPEN} AND (
         u.length IS NULL AND u.received > 0 OR ${customerNotHeld('c.tenant_id', 'c.customer_id')})
       LIMIT ${ENDED_AT_ONCE}`,
      [tenant_id, id],
    );
    const values = [tenant_id, batch.map((upload) => upload.id)];
    await tx.query(
      `SELECT FROM recording_uploads u WHERE u.tenant_id = $1 AND u.id = ANY ($2) ORDER BY u.id FOR NO KEY UPDATE`,
      values,
    );
    await tx.query(
      `UPDATE recording_uploads u SET length = u.received
       WHERE u.tenant_id = $1 AND u.id = ANY ($2) AND u.length IS NULL AND u.received > 0`,
      values,
    );
    await tx.query(
      `DELETE FROM recording_uploads u WHERE u.tenant_id = $1 AND u.id = ANY ($2) AND ${IS_OPEN}`,
      values,
    );
    return batch.length > 0;
  }
}
