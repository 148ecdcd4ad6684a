import type { Transaction } from '../../database/transaction';

/** An upload that is about to begin. */
export interface BeginningUpload {
  tenant_id: string;
  user_id: string;
  /** The space that it reserves. */
  bytes: number;
}

/** Decides whether a multipart upload may begin. */
export interface UploadAdmission {
  /**
   * Called in the transaction that reserves the space. What it locks must make parallel uploads wait until the
   * transaction ends.
   * @throws 403 or 422 if the upload may not begin
   */
  ensureAllowed(tx: Transaction, upload: BeginningUpload): Promise<void>;
}
