import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Transaction } from '../platform/database/transaction';
import { UsageRegistry } from './usage-registry';

const BYTES_PER_MB = 1_000_000;

/** Bytes that a tenant stores, as a running total, so that reading it does not sum up all recordings. */
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
   * Changes the total within the transaction that stores or deletes a recording. The total never becomes
   * negative: if it were wrong, the column's check would prevent every deletion.
   * @param bytes positive for stored bytes, negative for deleted ones
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
