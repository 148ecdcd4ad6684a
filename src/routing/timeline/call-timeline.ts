import { Injectable } from '@nestjs/common';
import type { DeviceReportDto } from '../../calls/media/media.dto';
import { qualityEntries } from '../../calls/media/media.columns';
import { visibleCalls } from '../../calls/staff/call-access';
import type { Principal } from '../../platform/access/principal';
import { hasMinimumRole } from '../../platform/access/roles';
import { Database } from '../../platform/database/database';
import type { Statement } from '../../platform/database/statement';
import { forbidden, notFound } from '../../platform/http/errors/api-error';
import type { TimelineEntryDto } from './timeline.dto';

/**
 * A call has some ten entries; only one that is offered again and again while nobody answers has hundreds. How it came and how
 * it ended matter more than what was repeated between.
 */
const MAX_FIRST_ENTRIES = 500;
const MAX_LAST_ENTRIES = 500;

const MAX_QUALITY_ENTRIES = 1000;

/** The user's current name. A scalar subquery is evaluated by the primary key, row by row. */
const nameOf = (userId: string) => `(SELECT u.name FROM users u WHERE u.tenant_id = $1 AND u.id = ${userId})`;

/** The candidates of an offer with their names; null for other entries. */
const CANDIDATES = `(
  SELECT jsonb_agg(c.candidate || jsonb_build_object('user_name', ${nameOf(`(c.candidate ->> 'user_id')::uuid`)})
    ORDER BY c.position)
  FROM jsonb_array_elements(t.details -> 'candidates') WITH ORDINALITY AS c (candidate, position))`;

/**
 * The entries of the call are read once, and numbered. Without OFFSET 0, PostgreSQL might read the entries of all calls by
 * their ids, in the order of the result.
 */
const ENTRIES = `SELECT t.at, t.type, t.user_id, ${nameOf('t.user_id')} AS user_name, t.details, ${CANDIDATES} AS candidates
  FROM (SELECT e.*, row_number() OVER (ORDER BY e.id) AS place, count(*) OVER () AS total
    FROM (SELECT * FROM call_timeline WHERE tenant_id = $1 AND call_id = $2 OFFSET 0) e) t
  WHERE t.place <= ${MAX_FIRST_ENTRIES} OR t.place > t.total - ${MAX_LAST_ENTRIES} ORDER BY t.place`;

type EntryRow = TimelineEntryDto & { details: object; candidates: object[] | null };

const QUALITY_ENTRIES = qualityEntries(nameOf('q.user_id'), MAX_QUALITY_ENTRIES);

type QualityRow = Omit<TimelineEntryDto, 'type'> & { details: object };

interface OwnCall {
  is_own: boolean;
  device_report: DeviceReportDto | null;
  device_reported_at: string | null;
}

/** Reads the timeline of a call. */
@Injectable()
export class CallTimeline {
  constructor(private readonly database: Database) {}

  /**
   * The first 500 and the last 500 entries and the latest 1,000 reports of the quality, the oldest first, for supervisors and
   * the call's agents.
   * @throws 404 for a call that the user may not see; 403 for an attendant who had no part in it
   */
  async of(user: Principal, callId: string): Promise<TimelineEntryDto[]> {
    const { tenant_id } = user;
    const [calls, entries, quality] = await this.database.readTenant<[OwnCall, EntryRow, QualityRow]>(
      tenant_id,
      [
        ownCallStatement(user, callId),
        timelineStatement(tenant_id, callId),
        { text: QUALITY_ENTRIES, values: [tenant_id, callId] },
      ],
    );
    const [call] = calls;
    if (!call) throw notFound('Call');
    if (!call.is_own && !hasMinimumRole(user.role, 'supervisor')) {
      throw forbidden('Only supervisors and the agents of a call can read its timeline.');
    }
    // The sort is stable: entries of one time stay in the order in which they were written.
    return [...entries.map(entryOf), ...deviceEntries(call), ...quality.map(qualityEntryOf)].toSorted(
      (one, other) => Date.parse(one.at) - Date.parse(other.at),
    );
  }
}

const entryOf = ({ details, candidates, ...entry }: EntryRow): TimelineEntryDto => ({
  ...entry,
  ...details,
  ...(candidates && { candidates }),
});

const qualityEntryOf = ({ at, details, ...agent }: QualityRow): TimelineEntryDto => ({
  at,
  type: 'quality_report',
  ...agent,
  ...details,
});

/** The call has only the latest report of the device. */
const deviceEntries = ({ device_report, device_reported_at: at }: OwnCall): TimelineEntryDto[] =>
  device_report && at
    ? [{ at, type: 'device_report', user_id: null, user_name: null, ...device_report }]
    : [];

/** Selects the call if the user may see it, and whether they are its agent or have been the agent of one of its parts. */
function ownCallStatement(user: Principal, callId: string): Statement {
  const { sql, values } = visibleCalls(user).and('c.id = ?', callId);
  const self = `$${values.length + 1}`;
  return {
    text: `SELECT c.user_id IS NOT DISTINCT FROM ${self}
        OR EXISTS (SELECT FROM call_parts p WHERE p.call_id = c.id AND p.user_id = ${self}) AS is_own,
        c.device_report, c.device_reported_at
      FROM calls c ${sql}`,
    values: [...values, user.user_id],
  };
}

/** The entries of a call with the current names of agents and candidates. */
export function timelineStatement(tenantId: string, callId: string): Statement {
  return { text: ENTRIES, values: [tenantId, callId] };
}
