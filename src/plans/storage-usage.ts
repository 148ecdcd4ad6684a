import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Transaction } from '../platform/database/transaction';
import { RESERVED_BYTES_SQL } from '../platform/storage/stored-object-ledger';
import { UsageRegistry } from './usage-registry';

const BYTES_PER_MB = 1_000_000;
export const BYTES_PER_MIB = 1024 * 1024;

/** What is stored permanently, by the column of its running total. */
type StorageTotal = 'recording_bytes' | 'file_bytes';

/**
 * Bytes that a tenant stores: running totals, so that reading them does not sum up all recordings and files, what
 * multipart uploads in progress reserve, and what other contexts register.
 */
@Injectable()
export class StorageUsage implements OnModuleInit {
  private readonly bytes = [
    'SELECT COALESCE(sum(recording_bytes + file_bytes), 0) FROM storage_usage WHERE tenant_id = $1',
    RESERVED_BYTES_SQL,
  ];

  constructor(private readonly usage: UsageRegistry) {}

  onModuleInit(): void {
    this.usage.register(
      'recording_storage_mb',
      `SELECT COALESCE(ceil(max(recording_bytes) / ${BYTES_PER_MB}.0), 0) FROM storage_usage WHERE tenant_id = $1`,
    );
    this.usage.register('storage_mb', () => `SELECT ceil((${this.bytesSql}) / ${BYTES_PER_MIB}.0)`);
  }

  /** Registers bytes that count, too, as an SQL query that returns their number: $1 is the tenant's id. */
  register(sql: string): void {
    this.bytes.push(sql);
  }

  /** A query of all bytes that count: $1 is the tenant's id. */
  get bytesSql(): string {
    return `SELECT ${this.bytes.map((sql) => `(${sql})`).join(' + ')}`;
  }

  /**
   * Changes a total within the transaction that stores or deletes a recording or a file. The total never becomes
   * negative: if it were wrong, the column's check would prevent every deletion.
   * @param bytes positive for stored bytes, negative for deleted ones
   */
  async add(
    tx: Transaction,
    tenantId: string,
    bytes: number,
    total: StorageTotal = 'recording_bytes',
  ): Promise<void> {
    await tx.query(
      `INSERT INTO storage_usage AS u (tenant_id, ${total}) VALUES ($1, GREATEST($2::bigint, 0))
       ON CONFLICT ON CONSTRAINT storage_usage_pkey
       DO UPDATE SET ${total} = GREATEST(u.${total} + $2::bigint, 0)`,
      [tenantId, bytes],
    );
  }
}
