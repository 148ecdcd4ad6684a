import { CONVERSATION_COLUMNS } from '../../../src/calls/chat/joined-calls';
import { QUALITY_COLUMN, qualityEntries } from '../../../src/calls/media/media.columns';
import { Database } from '../../../src/platform/database/database';
import type { Statement } from '../../../src/platform/database/statement';
import { TestTenant } from '../../support/builders';
import { entriesRead, nodesReading, planOf } from '../../support/database/plans';
import { sharedTestApp } from '../../support/shared-app';
import type { TestApp } from '../../support/test-app';

const CALLS = 20;
const MESSAGES = 1000;
const MINUTES = 120;

let test: TestApp;
let tenant: TestTenant;
let callId: string;

beforeAll(async () => {
  test = await sharedTestApp();
  tenant = await TestTenant.register(test);
  const { link } = await tenant.queue({ max_queue_size: 500 });
  const ids: string[] = [];
  for (let count = 0; count < CALLS; count++) ids.push((await tenant.join(link)).call_id);
  callId = ids[0] ?? '';
  await test.db.query(
    `INSERT INTO chat_messages (tenant_id, call_id, number, text, sent_at)
     SELECT $1, id, n, 'Hello', now() FROM unnest($2::uuid[]) AS id, generate_series(1, ${MESSAGES}) AS n`,
    [tenant.id, ids],
  );
  await test.db.query('UPDATE calls SET chat_message_count = $2 WHERE id = ANY ($1)', [ids, MESSAGES]);
  await test.db.query(
    `INSERT INTO call_quality (tenant_id, call_id, participant, minute, reported_at, samples, rtt_count, rtt_sum, rtt_max,
       loss_count, loss_sum, bitrate_count, bitrate_sum)
     SELECT $1, id, side, now() + n * interval '1 min', now() + n * interval '1 min', 6, 6, 600, 150, 0, 0, 0, 0
     FROM unnest($2::uuid[]) AS id, unnest(ARRAY['customer', 'agent']) AS side, generate_series(1, ${MINUTES}) AS n`,
    [tenant.id, ids],
  );
  await test.db.query('ANALYZE chat_messages, call_quality, calls');
});

afterAll(() => test.close());

/** The rows of the table that the statement reads, by whichever index. */
async function rowsReadOf(table: string, statement: Statement): Promise<number> {
  const plan = await test.get(Database).tenant(tenant.id, (tx) => planOf(tx, statement));
  const nodes = nodesReading(plan, table);
  expect(nodes.map((node) => node['Node Type'])).not.toContain('Seq Scan');
  return entriesRead(nodes);
}

const ofCall = (columns: string): Statement => ({
  text: `SELECT ${columns} FROM calls c WHERE c.tenant_id = $1 AND c.id = $2`,
  values: [tenant.id, callId],
});

describe('the reads of a conversation', () => {
  it('read the latest 200 messages of the call alone', async () => {
    expect(await rowsReadOf('chat_messages', ofCall(CONVERSATION_COLUMNS))).toBe(200);
  });

  it('read the reports of the call alone, for the details and for the timeline', async () => {
    expect(await rowsReadOf('call_quality', ofCall(`${QUALITY_COLUMN} AS quality`))).toBe(2 * MINUTES);
    const entries = { text: qualityEntries('NULL', 1000), values: [tenant.id, callId] };
    expect(await rowsReadOf('call_quality', entries)).toBe(2 * MINUTES);
  });
});
