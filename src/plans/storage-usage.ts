import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Transaction } from '../platform/database/transaction';
import { UsageRegistry } from './usage-registry';

const BYTES_PER_MB = 1_000_000;

/** How much a tenant stores, as a running total: nobody has to add up a million recordings. */
@Injectable()
export class StorageUsage implements OnModuleInit {
  constructor(private readonly usage: UsageRegistry) {}

  onModuleInit(): void {
    this.usage.register(
      'recording_storage_mb',
      `SELECT COALESCE(ceil(max(recording_bytes) / ${BYTES_PER_MB}.0), 0) FROM storage_usage WHERE tenant_id = $1`,
    );
  }

  /**
   * The total never falls below nothing: had it drifted, no recording could be deleted any more.
   * @param bytes what was stored, negative for what was deleted, in the transaction that says so
   */
  async add(tx: Transaction, tenantId: string, bytes: number): Promise<void> {
    await tx.query(
      `INSERT INTO storage_usage AS u (tenant_id, recording_bytes) VALUES ($1, GREATEST($2::bigint, 0))
       ON CONFLICT ON CONSTRAINT storage_usage_pkey
       DO UPDATE SET recording_bytes = GREATEST(u.recording_bytes + $2::bigint, 0)`,
      [tenantId, bytes],
    );
  }
}
