import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { ResolvedLink } from '../../access-links/access-link-resolver';
import { Clock } from '../../platform/clock/clock';
import { Database } from '../../platform/database/database';
import type { Transaction } from '../../platform/database/transaction';
import { idempotencyKeyReused } from './idempotency-key';
import { Jobs } from '../../platform/jobs/jobs';

const TTL_SECONDS = 600;

interface KeyedRequest {
  key: string;
  /** SHA-256 of the request body. */
  hash: string;
}

/** Maps the Idempotency-Key of a join to the call that it created. Callers hold the department's row lock. */
@Injectable()
export class IdempotencyKeys implements OnModuleInit {
  constructor(
    private readonly clock: Clock,
    private readonly database: Database,
    private readonly jobs: Jobs,
  ) {}

  onModuleInit(): void {
    this.jobs.schedule('purge-idempotency-keys', '*/15 * * * *', () => this.purge());
  }

  /**
   * @returns the call that the key created, unless the key is unknown or expired
   * @throws 422 if the key was used with a different body: another customer, or a client's bug
   */
  async find(tx: Transaction, linkId: string, request: KeyedRequest): Promise<string | undefined> {
    const known = await tx.one<{ call_id: string; request_hash: string }>(
      `SELECT call_id, request_hash FROM idempotency_keys
       WHERE access_link_id = $1 AND key = $2 AND expires_at > $3`,
      [linkId, request.key, this.clock.now()],
    );
    if (known && known.request_hash !== request.hash) {
      throw idempotencyKeyReused();
    }
    return known?.call_id;
  }

  /** Without waiting. */
  store(tx: Transaction, link: ResolvedLink, request: KeyedRequest, callId: string): void {
    tx.send({
      text: `INSERT INTO idempotency_keys (tenant_id, access_link_id, key, request_hash, call_id, expires_at)
       VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT ON CONSTRAINT idempotency_keys_pkey DO UPDATE
         SET request_hash = excluded.request_hash, call_id = excluded.call_id, expires_at = excluded.expires_at`,
      values: [link.tenant_id, link.link_id, request.key, request.hash, callId, this.clock.in(TTL_SECONDS)],
    });
  }

  /** Deletes keys that have expired. */
  async purge(): Promise<void> {
    await this.database.system((tx) =>
      tx.query('DELETE FROM idempotency_keys WHERE expires_at <= $1', [this.clock.now()]),
    );
  }
}
