import { Inject, Injectable } from '@nestjs/common';
import type { ResolvedLink } from '../../access-links/access-link-resolver';
import { CONFIG, type Config } from '../../platform/config/config';
import type { Transaction } from '../../platform/database/transaction';
import { unprocessable } from '../../platform/http/errors/api-error';

/** The client that joins a queue. */
export interface JoiningClient {
  /** See clientAddress. */
  address: string;
  /** Whether it is on this machine. */
  isLoopback: boolean;
}

/** Limits the waiting calls of one client address, so that one visitor cannot fill a queue. */
@Injectable()
export class AddressLimit {
  constructor(@Inject(CONFIG) private readonly config: Config) {}

  /**
   * Counts the waiting calls. The caller has sent the lock of the department's row before.
   * @returns a function that throws 422 too_many_waiting if there must not be one more
   */
  async check(
    tx: Transaction,
    { tenant_id, department_id }: ResolvedLink,
    { address, isLoopback }: JoiningClient,
  ): Promise<() => void> {
    const limit = this.config.queueMaxPerAddress;
    if (isLoopback || limit === Infinity) return () => {};
    const row = await tx.one<{ count: number }>(
      `SELECT count(*)::int AS count FROM calls
       WHERE tenant_id = $1 AND department_id = $2 AND status = 'queued' AND client_address = $3`,
      [tenant_id, department_id, address],
    );
    if ((row?.count ?? 0) < limit) return () => {};
    return () => {
      throw unprocessable(
        'too_many_waiting',
        'Too many customers are waiting from your network. Please try again in a few minutes.',
      );
    };
  }
}
