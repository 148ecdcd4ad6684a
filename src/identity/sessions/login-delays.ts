import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { Database } from '../../platform/database/database';
import type { Transaction } from '../../platform/database/transaction';
import { foldEmail } from '../../platform/rate-limit/account-key';

/** For users who mistype their password. */
const ATTEMPTS_WITHOUT_DELAY = 20;
const MAX_DELAY_SECONDS = 900;
/** Failures are forgotten this long after the last one. */
const MEMORY_SECONDS = 86_400;

/**
 * Seconds until the next attempt after the nth failure, n counted from 1: none, then doubling from one second to
 * 15 minutes, which later failures repeat. So an account is exposed to about a hundred guesses a day (NIST SP
 * 800-63B, 5.2.2).
 */
export const LOGIN_DELAYS: number[] = [
  ...Array.from({ length: ATTEMPTS_WITHOUT_DELAY - 1 }, () => 0),
  ...Array.from({ length: 11 }, (_, doublings) => Math.min(2 ** doublings, MAX_DELAY_SECONDS)),
];

/** The number of the attempt's failure, counted from 1. */
const COUNT = 'CASE WHEN d.expires_at <= $2 THEN 1 ELSE d.failures + 1 END';

/** When the attempt after this failure is possible. Without a delay it does not depend on any clock. */
const NEXT_ATTEMPT = `COALESCE(
  $2 + make_interval(secs => NULLIF(($4::int[])[LEAST(${COUNT}, cardinality($4))], 0)), '-infinity')`;

/** Counts an attempt as failed, unless its account is delayed: then no row is returned. */
const RESERVE = `INSERT INTO login_delays AS d (account_hash, failures, next_attempt_at, expires_at)
  VALUES ($1, 1, '-infinity', $3)
  ON CONFLICT (account_hash) DO UPDATE SET failures = ${COUNT}, expires_at = $3, next_attempt_at = ${NEXT_ATTEMPT}
  WHERE d.next_attempt_at <= $2 RETURNING failures`;

/** At least a second. The terms are subtracted as numbers, since intervals cannot be infinite before PostgreSQL 17. */
const REMAINING = `SELECT GREATEST(1, ceil(extract(epoch FROM next_attempt_at) - extract(epoch FROM $2::timestamptz)))::int
  AS seconds FROM login_delays WHERE account_hash = $1`;

/**
 * Delays logins to an account after repeated wrong passwords, whatever addresses they come from; owns the table
 * login_delays. An account is the e-mail address, as in rate limits: addresses that have no account are delayed
 * alike, so that a delay does not reveal which accounts exist.
 */
@Injectable()
export class LoginDelays {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /**
   * Counts an attempt as failed before its password is verified, so that simultaneous attempts are all counted.
   * @returns seconds until the next attempt is possible; 0 if this one may proceed
   */
  reserve(email: string): Promise<number> {
    const account = accountHash(email);
    return this.database.system(async (tx) => {
      // Read when a connection is available: the wait for one must not add to the delay.
      const [now, expires] = [this.clock.now(), this.clock.in(MEMORY_SECONDS)];
      if (await tx.one(RESERVE, [account, now, expires, LOGIN_DELAYS])) return 0;
      const delayed = await tx.one<{ seconds: number }>(REMAINING, [account, now]);
      return delayed?.seconds ?? 1;
    });
  }

  /**
   * Takes an attempt with the right password out of the count, and ends the delay that it caused. Earlier failures
   * stay: an account of the same e-mail address at another company must not reset them.
   */
  async release(email: string): Promise<void> {
    await this.database.system((tx) =>
      tx.query(
        `UPDATE login_delays SET failures = GREATEST(failures - 1, 0), next_attempt_at = '-infinity'
         WHERE account_hash = $1`,
        [accountHash(email)],
      ),
    );
  }

  /** Deletes the counts of accounts without recent failures. */
  async deleteExpired(tx: Transaction): Promise<void> {
    await tx.query('DELETE FROM login_delays WHERE expires_at <= $1', [this.clock.now()]);
  }
}

/** Only a hash is stored: people without an account can be tried as well. */
const accountHash = (email: string): string => createHash('sha256').update(foldEmail(email)).digest('hex');
