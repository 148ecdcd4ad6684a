import { WEBHOOK_EVENTS } from '../../../src/webhooks/payloads/webhook-event-types';
import type { TestTenant } from '../builders';
import { oneTo, polledPositions } from '../database/rows';
import type { TestApp } from '../test-app';
import { expectAnnounced } from './agents';
import { createWebhook } from './webhooks';

/** Statements that return the rows of tenant $1 that break a rule. Each reads one snapshot, so it may run at any time. */
const VIOLATIONS: Record<string, string> = {
  'a call or an agent has several pending offers': `
    SELECT call_id AS id, count(*) FROM offers WHERE tenant_id = $1 AND status = 'pending'
    GROUP BY 1 HAVING count(*) > 1
    UNION ALL SELECT user_id, count(*) FROM offers WHERE tenant_id = $1 AND status = 'pending'
    GROUP BY 1 HAVING count(*) > 1`,
  'a pending offer is of a call that cannot be accepted': `
    SELECT o.id, o.kind, c.status FROM offers o JOIN calls c ON c.id = o.call_id
    WHERE o.tenant_id = $1 AND o.status = 'pending'
      AND c.status <> CASE o.kind WHEN 'transfer' THEN 'active' ELSE 'queued' END`,
  'an agent accepted a call beside another one': `
    SELECT c.user_id, count(*) FROM calls c WHERE c.tenant_id = $1 AND c.status IN ('assigned', 'active')
      AND EXISTS (SELECT FROM offers o WHERE o.call_id = c.id AND o.user_id = c.user_id AND o.status = 'accepted'
        AND o.kind <> 'transfer' AND abs(extract(epoch FROM o.ended_at - c.assigned_at)) < 1)
    GROUP BY 1 HAVING count(*) > 1`,
  'a waiting call has not one entry in each of its lines, or another call has one': `
    SELECT c.id, c.status, array_agg(e.department_id) FROM calls c LEFT JOIN line_entries e ON e.call_id = c.id
    WHERE c.tenant_id = $1 GROUP BY c.id
    HAVING string_agg(concat_ws(' of ', e.department_id, e.overflowed_from), ', ' ORDER BY e.overflowed_from NULLS FIRST)
      <> CASE WHEN c.status = 'queued'
        THEN concat_ws(', ', c.department_id, c.overflow_department_id || ' of ' || c.department_id) ELSE '' END`,
  'an active call has not one open part of its agent, or another call has one': `
    SELECT c.id, c.status, count(p.id) FROM calls c LEFT JOIN call_parts p ON p.call_id = c.id AND p.ended_at IS NULL
    WHERE c.tenant_id = $1 GROUP BY c.id
    HAVING count(p.id) <> (c.status = 'active')::int OR bool_or(p.user_id <> c.user_id)`,
  'the version of a call is not the number of its events': `
    SELECT c.id, c.version, count(DISTINCT e.version), max(e.version) FROM calls c
      LEFT JOIN (SELECT subject_id, (payload ->> 'version')::int AS version FROM domain_events
        WHERE tenant_id = $1 AND payload ? 'version'
          -- The end of a callback with its call has the version of the event of that.
          AND NOT (type LIKE 'call.callback\\_%' AND payload ->> 'status' <> 'queued')) e ON e.subject_id = c.id
    WHERE c.tenant_id = $1 GROUP BY c.id
    HAVING (count(*), count(DISTINCT e.version), max(e.version)) IS DISTINCT FROM (c.version, c.version, c.version)`,
  'an offer has not one event, or not one of its end': `
    SELECT o.id, o.status, count(*) FILTER (WHERE e.type = 'call.offered') AS made,
      array_agg(e.payload ->> 'status') FILTER (WHERE e.type = 'call.offer_ended') AS ended
    FROM offers o LEFT JOIN domain_events e ON e.tenant_id = o.tenant_id AND e.subject_id = o.call_id
      AND e.type IN ('call.offered', 'call.offer_ended') AND e.payload ->> 'offer_id' = o.id::text
    WHERE o.tenant_id = $1 GROUP BY o.id
    HAVING count(*) FILTER (WHERE e.type = 'call.offered') <> 1
      OR array_agg(e.payload ->> 'status') FILTER (WHERE e.type = 'call.offer_ended')
        IS DISTINCT FROM CASE WHEN o.status <> 'pending' THEN ARRAY[o.status] END`,
  'a webhook has not one delivery of each event': `
    SELECT w.id, x.* FROM webhooks w CROSS JOIN LATERAL (
      SELECT COALESCE(e.type, d.type) AS type, COALESCE(e.at, d.at) AS at, e.count AS events, d.count AS deliveries
      FROM (SELECT type, occurred_at AS at, count(*) FROM domain_events
            WHERE tenant_id = $1 AND type = ANY (w.events) AND occurred_at >= w.inserted_at GROUP BY 1, 2) e
        FULL JOIN (SELECT event AS type, (payload ->> 'timestamp')::timestamptz AS at, count(*) FROM (
            SELECT event, payload FROM webhook_deliveries WHERE webhook_id = w.id
            UNION ALL SELECT event, payload FROM webhook_events WHERE tenant_id = $1 AND w.id = ANY (webhook_ids)) made
            GROUP BY 1, 2) d ON d.type = e.type AND d.at = e.at) x
    WHERE w.tenant_id = $1 AND w.active AND x.events IS DISTINCT FROM x.deliveries`,
};

/** The events of calls, offers, agents and queues. */
const ROUTING_EVENTS = WEBHOOK_EVENTS.filter((type) => /^(call|agent|queue)\./.test(type));

/** Subscribes a webhook to all events of the distribution of calls, whose deliveries expectRoutingConsistent checks. */
export async function subscribeToRouting(tenant: TestTenant, url: string): Promise<void> {
  await createWebhook(tenant, url, ROUTING_EVENTS);
}

/**
 * Checks what holds for the calls, agents and offers of a tenant at any time: what is stored, what was announced, and
 * the events and deliveries agree.
 */
export async function expectRoutingConsistent(test: TestApp, tenant: TestTenant): Promise<void> {
  await expectRowsConsistent(test, tenant);
  await expectPositions(test, tenant);
}

/** As expectRoutingConsistent, without the polls that read the positions and that show that the customers are there. */
export async function expectRowsConsistent(test: TestApp, tenant: TestTenant): Promise<void> {
  const broken: Record<string, unknown[]> = {};
  for (const [rule, statement] of Object.entries(VIOLATIONS)) {
    const { rows } = await test.db.query(statement, [tenant.id]);
    if (rows.length > 0) broken[rule] = rows.slice(0, 5);
  }
  expect(broken).toEqual({});
  await expectAnnounced(test, tenant.id);
}

/** Checks that the positions are 1 to the length of the line, in each that shares no call with another one. */
async function expectPositions(test: TestApp, tenant: TestTenant): Promise<void> {
  const { rows } = await test.db.query<{ department_id: string }>(
    `SELECT department_id FROM calls c WHERE tenant_id = $1 AND status = 'queued' GROUP BY 1
     HAVING count(overflow_department_id) = 0 AND NOT EXISTS (SELECT FROM calls o
       WHERE o.tenant_id = $1 AND o.status = 'queued' AND o.overflow_department_id = c.department_id)`,
    [tenant.id],
  );
  for (const { department_id } of rows) {
    const positions = await polledPositions(test, department_id);
    expect(positions.toSorted((one, other) => one - other)).toEqual(oneTo(positions.length));
  }
}
