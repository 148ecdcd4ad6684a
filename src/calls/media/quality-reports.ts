import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { Database } from '../../platform/database/database';
import { tooManyRequests } from '../../platform/http/errors/api-error';

/** What one side measured since its last report; null where the browser does not know. */
export interface QualityReport {
  rtt_ms?: number | null;
  /** Share of packets lost, 0 to 1. */
  loss?: number | null;
  /** Bit/s. */
  bitrate?: number | null;
}

/** The side that reports. */
export interface Reporter {
  tenant_id: string;
  call_id: string;
  /** The agent; null for the customer. */
  user_id: string | null;
}

const INTERVAL_SECONDS = 10;
/** Clients send every 10 s, and the network delivers unevenly. */
const MIN_INTERVAL = `interval '${INTERVAL_SECONDS - 1} s'`;

const REPORT = `SELECT $1::uuid, $2::uuid, CASE WHEN $3::uuid IS NULL THEN 'customer' ELSE 'agent' END AS participant, $3::uuid,
    date_trunc('minute', $4::timestamptz, 'UTC'), $4::timestamptz, 1,
    ($5::real IS NOT NULL)::int, COALESCE($5, 0), $5, ($6::real IS NOT NULL)::int, COALESCE($6, 0), $6,
    ($7::float8 IS NOT NULL)::int, COALESCE($7, 0), $7`;

/** Adds a report to those of its side and minute, unless the side has sent another one just before. */
const ADD = `INSERT INTO call_quality AS q (tenant_id, call_id, participant, user_id, minute, reported_at, samples,
    rtt_count, rtt_sum, rtt_max, loss_count, loss_sum, loss_max, bitrate_count, bitrate_sum, bitrate_min)
  SELECT r.* FROM (${REPORT}) r WHERE NOT EXISTS (
    SELECT FROM call_quality l WHERE l.call_id = $2 AND l.participant = r.participant
      AND l.minute >= $4::timestamptz - interval '2 min' AND l.reported_at > $4::timestamptz - ${MIN_INTERVAL})
  ON CONFLICT (call_id, participant, minute) DO UPDATE SET reported_at = EXCLUDED.reported_at, user_id = EXCLUDED.user_id,
    samples = q.samples + 1,
    rtt_count = q.rtt_count + EXCLUDED.rtt_count, rtt_sum = q.rtt_sum + EXCLUDED.rtt_sum,
    rtt_max = GREATEST(q.rtt_max, EXCLUDED.rtt_max),
    loss_count = q.loss_count + EXCLUDED.loss_count, loss_sum = q.loss_sum + EXCLUDED.loss_sum,
    loss_max = GREATEST(q.loss_max, EXCLUDED.loss_max),
    bitrate_count = q.bitrate_count + EXCLUDED.bitrate_count, bitrate_sum = q.bitrate_sum + EXCLUDED.bitrate_sum,
    bitrate_min = LEAST(q.bitrate_min, EXCLUDED.bitrate_min)
  WHERE q.reported_at <= EXCLUDED.reported_at - ${MIN_INTERVAL}
  RETURNING call_id`;

/**
 * The quality of the connection as both sides report it: one row for each side and minute, however often they report. The
 * version of the call stays, and no event is recorded.
 */
@Injectable()
export class QualityReports {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /**
   * The caller has checked that the reporter takes part in the call.
   * @throws 429 if the side has reported within the last 10 s
   */
  async add({ tenant_id, call_id, user_id }: Reporter, report: QualityReport): Promise<void> {
    const { rtt_ms = null, loss = null, bitrate = null } = report;
    const values = [tenant_id, call_id, user_id, this.clock.now(), rtt_ms, loss, bitrate];
    const added = await this.database.tenant(tenant_id, (tx) => tx.query(ADD, values));
    if (added.length === 0) throw tooManyRequests(INTERVAL_SECONDS);
  }
}
