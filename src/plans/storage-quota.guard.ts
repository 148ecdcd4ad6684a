import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { AuthenticatedRequest } from '../platform/access/principal';
import { StorageQuota } from './storage-quota';

/** How much larger than its file a multipart/form-data body may be: boundaries, headers, other fields. */
export const MAX_FORM_OVERHEAD_BYTES = 1024 * 1024;

/**
 * Rejects a multipart upload that exceeds the storage of the plan before its content is read. It counts what the file
 * has at least: Content-Length without the rest of the form. StorageAdmission decides when the file begins.
 */
@Injectable()
export class StorageQuotaGuard implements CanActivate {
  constructor(private readonly quota: StorageQuota) {}

  /** @throws 403 plan_limit */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const { user, uploader = user, headers } = context.switchToHttp().getRequest<AuthenticatedRequest>();
    if (!uploader) return false;
    const bytes = Number(headers['content-length'] ?? 0) - MAX_FORM_OVERHEAD_BYTES;
    await this.quota.ensureProbablyWithinQuota(uploader.tenant_id, Math.max(bytes, 1));
    return true;
  }
}
