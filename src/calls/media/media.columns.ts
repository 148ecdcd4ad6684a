import { isoTimestamp } from '../../platform/database/columns';

/** The aggregates of rows `q` of call_quality as JSON (SideQualityDto). */
const SUMMARY = `jsonb_build_object('samples', sum(q.samples),
  'rtt_ms', round(sum(q.rtt_sum) / NULLIF(sum(q.rtt_count), 0)), 'max_rtt_ms', round(max(q.rtt_max)),
  'loss', round((sum(q.loss_sum) / NULLIF(sum(q.loss_count), 0))::numeric, 4), 'max_loss', round(max(q.loss_max)::numeric, 4),
  'bitrate', round(sum(q.bitrate_sum) / NULLIF(sum(q.bitrate_count), 0)), 'min_bitrate', round(min(q.bitrate_min)))`;

/** The quality of a call `c` as JSON (CallQualityDto); null without reports. At most two rows a minute of the call are read. */
export const QUALITY_COLUMN = `(
  SELECT jsonb_build_object('customer', jsonb_object_agg(s.participant, s.summary) -> 'customer',
      'agent', jsonb_object_agg(s.participant, s.summary) -> 'agent')
  FROM (SELECT q.participant, ${SUMMARY} AS summary FROM call_quality q WHERE q.call_id = c.id GROUP BY q.participant) s
  HAVING count(*) > 0)`;

/** The recording of a call `c` with the customer's answer as JSON (RecordingStateDto); null unless the agent has asked. */
export const RECORDING_STATE_COLUMN = `CASE WHEN c.recording IS NOT NULL THEN jsonb_build_object(
    'recording', c.recording, 'consent', c.recording_consent,
    'consent_at', ${isoTimestamp('c.recording_consent_at')}) END`;

/** The state of the recording of a call `c` for its participants, as JSON (RecordingState). */
export const RECORDING_COLUMN = `jsonb_build_object('recording', COALESCE(c.recording, 'off'), 'consent', c.recording_consent)`;

/**
 * The reports on the call $2 of the tenant $1 as entries of its timeline, by minute and side, the latest first.
 * @param userName the SQL of the name of the agent `q.user_id`
 */
export const qualityEntries = (
  userName: string,
  limit: number,
) => `SELECT q.reported_at AS at, q.user_id, ${userName} AS user_name,
    jsonb_build_object('participant', q.participant) || ${SUMMARY} AS details
  FROM call_quality q WHERE q.tenant_id = $1 AND q.call_id = $2
  GROUP BY q.call_id, q.participant, q.minute ORDER BY q.minute DESC, q.participant LIMIT ${limit}`;
