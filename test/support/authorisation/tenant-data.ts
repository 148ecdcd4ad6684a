import { addRecording } from '../contexts/add-recording';
import { book, freeSlot } from '../contexts/appointments';
import { expectStatus, TestTenant } from '../builders';
import { upload } from '../http/multipart';
import { createSkill, giveSkills } from '../contexts/skills';
import { insertTranscriptResults } from '../database/transcript-results';
import { TestSocket } from '../sockets/socket';
import type { TestApp } from '../test-app';
import { insertFailedDelivery, createWebhook } from '../contexts/webhooks';
import type { TestConnection } from '../database/database';

export const GATEWAY_TOKEN = 'gateway-token-of-the-tests';

/** Creates a tenant with rows in every table, through the API where possible, otherwise by SQL. */
export async function createFullTenant(test: TestApp, superuser: TestConnection): Promise<TestTenant> {
  const tenant = await TestTenant.register(test, 'free');
  const { department, link } = await tenant.queue();
  const api = tenant.owner.api;
  const member = await api.post(`/api/v1/departments/${department.id}/users`, { user_id: tenant.owner.id });
  expectStatus(member, 201);
  const join = await test.api.post(
    `/api/v1/call/${link.token}/join`,
    { name: 'Wanda Waiting', email: 'wanda@example.com' },
    { headers: { 'idempotency-key': `key of ${tenant.slug}` } },
  );
  expectStatus(join, 200);
  expectStatus(await api.post(`/api/v1/calls/${join.body.data.call_id}/assign`), 200);
  await book(tenant, freeSlot(test));
  const skill_id = await createSkill(tenant);
  await giveSkills(tenant, tenant.owner.id, { [skill_id]: 5 });
  await tenant.link(department.id, { skills: [{ skill_id, min_level: 1 }] });
  const tag = await api.post('/api/v1/tags', { name: 'Parent' });
  expectStatus(tag, 201);
  expectStatus(await api.post('/api/v1/tags', { name: 'Child', parent_id: tag.body.data.id }), 201);
  const reply = { title: 'Greeting', text: 'Good morning', shortcut: 'hi' };
  expectStatus(await api.post('/api/v1/canned-replies', reply), 201);
  const failed = await insertFailedDelivery(superuser, tenant.id, (await createWebhook(tenant)).id);
  await superuser.query(
    `INSERT INTO webhook_attempts (tenant_id, delivery_id, number, duration_ms, inserted_at)
     VALUES ($1, $2, 1, 5, now())`,
    [tenant.id, failed],
  );
  const tagged = { tag_id: tag.body.data.id };
  expectStatus(await api.post(`/api/v1/calls/${join.body.data.call_id}/tags`, tagged), 201);
  const paid = await test.api.post(
    '/api/webhooks/asaas',
    {
      id: `evt_${tenant.id}`,
      event: 'PAYMENT_CREATED',
      dateCreated: '2026-01-31 12:00:00',
      payment: { id: 'pay_1', externalReference: tenant.id, value: 99 },
    },
    { headers: { 'asaas-access-token': GATEWAY_TOKEN } },
  );
  expectStatus(paid, 200);
  const file = await upload(
    test,
    `/api/v1/calls/${join.body.data.call_id}/upload`,
    [['file', Buffer.from('x')]],
    {
      token: tenant.owner.token,
    },
  );
  expectStatus(file, 201);
  // The free plan rejects recordings by HTTP.
  await addRecording(test, tenant, join.body.data.call_id);
  await insertTranscriptResults(superuser, join.body.data.call_id, 'ready');
  // An open socket adds a connection and a presence period.
  const socket = await TestSocket.connect(test.url, tenant.owner.token);
  sockets.push(socket);
  const values = [tenant.id, tenant.owner.id];
  await superuser.query(
    `INSERT INTO recovery_codes (tenant_id, user_id, code_hash) VALUES ($1, $2, 'hash')`,
    values,
  );
  await superuser.query(
    `INSERT INTO password_resets (tenant_id, user_id, token_hash, expires_at)
     VALUES ($1, $2, gen_random_uuid()::text, now() + interval '1 hour')`,
    values,
  );
  await superuser.query(
    `INSERT INTO mfa_attempts (tenant_id, user_id, token_hash, expires_at)
     VALUES ($1, $2, gen_random_uuid()::text, now() + interval '5 minutes')`,
    values,
  );
  await superuser.query(
    `INSERT INTO user_avatars (user_id, tenant_id, content, content_hash, updated_at)
     VALUES ($1, $2, 'picture', 'hash', now())`,
    [tenant.owner.id, tenant.id],
  );
  await superuser.query(
    `INSERT INTO tenant_logos (tenant_id, content, content_hash, updated_at)
     VALUES ($1, 'picture', 'hash', now())`,
    [tenant.id],
  );
  await superuser.query('INSERT INTO mail_usage (tenant_id, day, mail_count) VALUES ($1, now(), 1)', [
    tenant.id,
  ]);
  // The assigned call has left the line.
  await test.api.post(`/api/v1/call/${link.token}/join`, {
    name: 'Wanda Waiting',
    email: 'wanda@example.com',
  });
  await superuser.query(
    `INSERT INTO callbacks (tenant_id, call_id, channel, email, requested_at)
     VALUES ($1, $2, 'email', 'wanda@example.com', now())`,
    [tenant.id, join.body.data.call_id],
  );
  await superuser.query(
    `INSERT INTO callback_mails (tenant_id, call_id, mailbox, sent_at, day)
     VALUES ($1, $2, 'wanda@example.com', now(), now())`,
    [tenant.id, join.body.data.call_id],
  );
  await insertRoutingRows(superuser, tenant, department.id, join.body.data.call_id);
  await superuser.query(
    `WITH object AS (
         INSERT INTO stored_objects (key, tenant_id)
         VALUES (concat($1::uuid, '/recording-parts/', gen_random_uuid()), $1) RETURNING key),
       upload AS (
         INSERT INTO recording_uploads (id, tenant_id, user_id, call_id, received, expires_at, inserted_at)
         VALUES (gen_random_uuid(), $1, $2, $3, 1, now() + interval '1 day', now()) RETURNING id)
     INSERT INTO recording_upload_parts (upload_id, tenant_id, start_byte, size, storage_key)
     SELECT upload.id, $1, 0, 1, object.key FROM upload, object`,
    [...values, join.body.data.call_id],
  );
  await insertPrivacyRows(superuser, tenant);
  return tenant;
}

/** An erasure in the past, a merged customer, and a hold, which has to be released before the tenant can be deleted. */
async function insertPrivacyRows(superuser: TestConnection, { id }: TestTenant): Promise<void> {
  await superuser.query(
    `INSERT INTO erasures (tenant_id, kind, subject_ids, journalled_at, erased_at)
     VALUES ($1, 'customer', ARRAY[gen_random_uuid()], now(), now())`,
    [id],
  );
  await superuser.query(
    `INSERT INTO customer_merges (merged_id, tenant_id, customer_id)
     SELECT gen_random_uuid(), $1, id FROM customers WHERE tenant_id = $1 LIMIT 1`,
    [id],
  );
  await superuser.query(
    `INSERT INTO legal_holds (tenant_id, reason, inserted_at) VALUES ($1, 'A lawsuit', now())`,
    [id],
  );
}

async function insertRoutingRows(
  superuser: TestConnection,
  { id, owner }: TestTenant,
  departmentId: string,
  callId: string,
): Promise<void> {
  const ofCall = [id, callId, owner.id];
  // No sweep changes the entry during the tests.
  await superuser.query(`UPDATE line_entries SET present_until = 'infinity' WHERE tenant_id = $1`, [id]);
  await superuser.query(
    `INSERT INTO call_parts (tenant_id, call_id, user_id, joined_at, started_at, ended_at, ended_by)
     VALUES ($1, $2, $3, now(), now(), now(), 'transferred')`,
    ofCall,
  );
  await superuser.query(
    `INSERT INTO offers (tenant_id, call_id, user_id, kind, status, offered_at, expires_at, ended_at)
     VALUES ($1, $2, $3, 'line', 'declined', now(), now(), now())`,
    ofCall,
  );
  await superuser.query(
    // Not over, so that no sweep deletes it during the tests.
    `INSERT INTO offer_exclusions (tenant_id, call_id, user_id, until)
     VALUES ($1, $2, $3, now() + interval '1 day')`,
    ofCall,
  );
  await superuser.query(
    `INSERT INTO call_timeline (tenant_id, call_id, user_id, at, type, details)
     VALUES ($1, $2, $3, now(), 'offered', '{}')`,
    ofCall,
  );
  await superuser.query(
    `INSERT INTO chat_messages (tenant_id, call_id, number, user_id, text, sent_at)
     VALUES ($1, $2, 1, $3, 'Good morning', now())`,
    ofCall,
  );
  await superuser.query(
    `INSERT INTO call_quality (tenant_id, call_id, user_id, participant, minute, reported_at, samples, rtt_count, rtt_sum,
       loss_count, loss_sum, bitrate_count, bitrate_sum)
     VALUES ($1, $2, $3, 'agent', now(), now(), 1, 1, 80, 0, 0, 0, 0)`,
    ofCall,
  );
  await superuser.query(
    // Ended, so that no check changes it during the tests.
    `INSERT INTO queue_alerts (tenant_id, department_id, kind, since, ended_at)
     VALUES ($1, $2, 'longest_wait', now(), now())`,
    [id, departmentId],
  );
  await insertLearnedWaits(superuser, id);
}

/** All departments have learned what there is, and a wait of another one stays: no task changes these rows during the tests. */
async function insertLearnedWaits(superuser: TestConnection, tenantId: string): Promise<void> {
  await superuser.query('DELETE FROM ended_waits WHERE tenant_id = $1', [tenantId]);
  await superuser.query(
    `WITH learning AS (
       INSERT INTO wait_learning (department_id, tenant_id, handle_times, handle_times_by_hour, waits, latencies, history,
         in_use, ratios, wait_count, ratios_count, learned_at)
       SELECT d.id, $1, none, '{}', none, none, '{}', 'queue_length', '{"idle": null, "short": null, "medium": null, "long": null}',
         1, 1, now()
       FROM departments d, CAST('{"sum": 0, "weight": 0, "at": 0}' AS jsonb) AS none WHERE d.tenant_id = $1
       ON CONFLICT (department_id) DO UPDATE SET wait_count = 1 RETURNING department_id),
     ended AS (
       INSERT INTO ended_waits (tenant_id, department_id, call_id, outcome)
       VALUES ($1, gen_random_uuid(), gen_random_uuid(), 'answered'))
     INSERT INTO learned_waits (tenant_id, department_id, queue_length, waited, idle, answered)
     SELECT $1, department_id, 10, 5, false, true FROM learning`,
    [tenantId],
  );
}

const sockets: TestSocket[] = [];

/** Closes the sockets of all tenants that were created. */
export function closeSockets(): void {
  for (const socket of sockets.splice(0)) socket.close();
}
