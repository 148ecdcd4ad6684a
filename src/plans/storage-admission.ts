import { Injectable } from '@nestjs/common';
import type { Transaction } from '../platform/database/transaction';
import { unprocessable } from '../platform/http/errors/api-error';
import { OPEN_UPLOADS_SQL } from '../platform/storage/stored-object-ledger';
import { StorageQuota } from './storage-quota';

/** Unfinished uploads per user, separately for resumable and multipart uploads. */
export const MAX_OPEN_UPLOADS = 20;

/** 422 for an upload above MAX_OPEN_UPLOADS. */
export const tooManyUploads = () =>
  unprocessable(
    'too_many_uploads',
    `You have ${MAX_OPEN_UPLOADS} unfinished uploads: finish or cancel one of them before you start another.`,
  );

/** An upload that is about to begin. */
interface BeginningUpload {
  tenant_id: string;
  user_id: string;
  /** The space that it reserves. */
  bytes: number;
}

/** Lets a multipart upload begin if its tenant has the storage for it, and its user not too many others in progress. */
@Injectable()
export class StorageAdmission {
  constructor(private readonly quota: StorageQuota) {}

  /** For the transaction that reserves the space. Holds the tenant's lock until that ends. @throws 403 plan_limit, 422 too_many_uploads */
  async ensureAllowed(tx: Transaction, { tenant_id, user_id, bytes }: BeginningUpload): Promise<void> {
    await this.quota.ensureWithinQuota(tx, tenant_id, bytes);
    const row = await tx.one<{ open_count: number }>(OPEN_UPLOADS_SQL, [tenant_id, user_id]);
    if ((row?.open_count ?? 0) >= MAX_OPEN_UPLOADS) throw tooManyUploads();
  }
}
