import { documentedFetch } from '../support/http/documented-fetch';
import { randomUUID } from 'node:crypto';
import { generateSync } from 'otplib';
import sharp from 'sharp';
import type { Answer, Json } from '../support/http/api';
import { APPOINTMENTS, book, bookConfirmed, freeSlot } from '../support/contexts/appointments';
import { auditedBy } from '../support/contexts/audit-rows';
import { expectStatus, login, type Member, PASSWORD, TestTenant } from '../support/builders';
import { type Part, upload } from '../support/http/multipart';
import { beginWrapUp, openSocketOf } from '../support/contexts/agents';
import { automaticQueue } from '../support/contexts/offers';
import { createSkill, giveSkills } from '../support/contexts/skills';
import { createRecording, uploadRecording } from '../support/contexts/recordings';
import { insertTranscriptResults } from '../support/database/transcript-results';
import { operationsOf } from '../support/authorisation/route-walk';
import { sharedTestApp } from '../support/shared-app';
import type { TestApp } from '../support/test-app';
import { beginUpload, TEXTUAL_RECORDING, WHOLE_UPLOAD_HEADERS } from '../support/contexts/tus';
import { insertFailedDelivery, createWebhook, UNREACHABLE_URL } from '../support/contexts/webhooks';

/** Write routes without an audit row, since they have no lasting effect on shared data. */
const UNAUDITED_ROUTES = [
  // The proposed secret has no effect until it is confirmed.
  'POST /api/v1/users/me/mfa',
  // Only its user sees an upload until it is complete and becomes a recording.
  'POST /api/v1/calls/{call_id}/recording/tus',
  'HEAD /api/v1/calls/{call_id}/recording/tus/{upload_id}',
  'DELETE /api/v1/calls/{call_id}/recording/tus/{upload_id}',
  // It stands for HEAD, PATCH or DELETE of the same path.
  'POST /api/v1/calls/{call_id}/recording/tus/{upload_id}',
  // A refresh only updates the report views earlier than scheduled.
  'POST /api/v1/analytics/refresh-views',
];

let test: TestApp;
let tenant: TestTenant;
let owner: Member;
let agent: Member;
let department: Json;
let link: Json;

beforeAll(async () => {
  test = await sharedTestApp();
  tenant = await TestTenant.register(test);
  ({ owner } = tenant);
  ({ department, link } = await tenant.queue());
  agent = await tenant.member('attendant', [department.id]);
});

afterAll(() => test.close());

const queuedCall = async (): Promise<string> => (await tenant.join(link)).call_id;
const assignedCall = async (): Promise<string> => {
  const id = await queuedCall();
  expectStatus(await agent.api.post(`/api/v1/calls/${id}/assign`), 200);
  return id;
};

const createTag = async (): Promise<string> => {
  const answer = await owner.api.post('/api/v1/tags', { name: `Tag ${randomUUID()}` });
  expectStatus(answer, 201);
  return answer.body.data.id;
};

const createCannedReply = async (): Promise<string> => {
  const answer = await owner.api.post('/api/v1/canned-replies', { title: 'Greeting', text: 'Hello' });
  expectStatus(answer, 201);
  return answer.body.data.id;
};

/** The body of an appointment that can be confirmed. */
const slot = () => ({ ...freeSlot(test), user_id: agent.id, department_id: department.id });

const createCustomer = async (): Promise<string> => {
  const answer = await owner.api.post('/api/v1/customers', { name: 'Vera Cruz' });
  expectStatus(answer, 201);
  return answer.body.data.id;
};

const codeOf = (secret: string): string =>
  generateSync({ secret, epoch: Math.floor(test.clock.now().getTime() / 1000) });

/** Creates a member with MFA; `answer` is the response to the confirmation. */
async function memberWithMfa(): Promise<{ member: Member; answer: Answer; recoveryCode: string }> {
  const member = await tenant.member();
  const { secret } = (await member.api.post('/api/v1/users/me/mfa')).body.data;
  const answer = await member.api.post('/api/v1/users/me/mfa/confirm', { code: codeOf(secret) });
  expectStatus(answer, 200);
  return { member, answer, recoveryCode: answer.body.data.recovery_codes[0] };
}

async function uploadPicture(path: string, method: 'POST' | 'PUT' = 'POST'): Promise<Answer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 30 } as const;
  const picture = await sharp({ create: { width: 8, height: 8, channels: 3, noise, background: 'white' } })
    .png()
    .toBuffer();
  const body = new FormData();
  body.set('file', new Blob([new Uint8Array(picture)]), 'ana.png');
  const { status, headers } = await documentedFetch(test.url + path, {
    method,
    headers: { authorization: `Bearer ${owner.token}` },
    body,
  });
  return { status, headers, body: {} };
}

const uploadLogo = () => uploadPicture('/api/v1/tenant/logo');

/** An expected audit row; `by` is the owner by default. */
interface ExpectedRow {
  action: string;
  subject_id: string;
  details?: Json;
  by?: Member;
}

/** A supervisor offers a waiting call to a new agent. */
async function offered(): Promise<{ answer: Answer; member: Member; offer: Json }> {
  const member = await tenant.member();
  await openSocketOf(test, tenant.id, member.id);
  const { call_id } = await tenant.join((await automaticQueue(tenant)).link);
  const answer = await owner.api.post(`/api/v1/calls/${call_id}/offer`, { user_id: member.id });
  return { answer, member, offer: answer.body.data };
}

const writes: [string, () => Promise<[Answer, ...ExpectedRow[]]>][] = [
  [
    'POST /api/v1/departments',
    async () => {
      const answer = await owner.api.post('/api/v1/departments', { department: { name: 'Sales' } });
      return [answer, { action: 'department.created', subject_id: answer.body.data.id }];
    },
  ],
  [
    'PUT /api/v1/departments/{id}',
    async () => {
      const { id, name } = await tenant.department();
      const input = { name, description: 'New', max_queue_size: 7, max_wait_time: 300 };
      const answer = await owner.api.put(`/api/v1/departments/${id}`, { department: input });
      const changed = ['description', 'max_queue_size'];
      return [answer, { action: 'department.updated', subject_id: id, details: { changed } }];
    },
  ],
  [
    'DELETE /api/v1/departments/{id}',
    async () => {
      const queue = await tenant.queue();
      await tenant.join(queue.link);
      const answer = await owner.api.delete(`/api/v1/departments/${queue.department.id}`);
      // What ends with it is ended by jobs.
      return [answer, { action: 'department.deleted', subject_id: queue.department.id }];
    },
  ],
  [
    'POST /api/v1/departments/{department_id}/users',
    async () => {
      const { id } = await tenant.department();
      const answer = await owner.api.post(`/api/v1/departments/${id}/users`, { user_id: agent.id });
      const details = { department_ids: [id] };
      return [answer, { action: 'user.memberships_changed', subject_id: agent.id, details }];
    },
  ],
  [
    'DELETE /api/v1/departments/{department_id}/users/{user_id}',
    async () => {
      const { id } = await tenant.department();
      const member = await tenant.member('attendant', [id]);
      const answer = await owner.api.delete(`/api/v1/departments/${id}/users/${member.id}`);
      const details = { department_ids: [id] };
      return [answer, { action: 'user.memberships_changed', subject_id: member.id, details }];
    },
  ],
  [
    'POST /api/v1/users/batch',
    async () => {
      const users = [{ name: 'Rui Reis', email: 'rui@reis.example', role: 'attendant' }];
      const answer = await owner.api.post('/api/v1/users/batch', { users });
      const { id } = answer.body.data[0];
      return [
        answer,
        { action: 'user.created', subject_id: id, details: expect.any(Object) },
        { action: 'user.invited', subject_id: id, details: expect.any(Object) },
      ];
    },
  ],
  [
    'POST /api/v1/users',
    async () => {
      const input = { name: 'Bia Reis', email: 'bia@reis.example', role: 'attendant', password: PASSWORD };
      const answer = await owner.api.post('/api/v1/users', { ...input, department_ids: [department.id] });
      const { id } = answer.body.data;
      const details = { department_ids: [department.id] };
      return [
        answer,
        { action: 'user.created', subject_id: id, details: { role: 'attendant' } },
        { action: 'user.memberships_changed', subject_id: id, details },
      ];
    },
  ],
  [
    'PUT /api/v1/users/{id}',
    async () => {
      const { id, name } = await tenant.member();
      const changes = { name, phone: '+55 11 90000-0001', role: 'manager', password: 'another passphrase' };
      const answer = await owner.api.put(`/api/v1/users/${id}`, changes);
      const details = { changed: ['phone', 'role'], role: 'manager', previous_role: 'attendant' };
      return [
        answer,
        { action: 'session.revoked', subject_id: expect.any(String), details: expect.any(Object) },
        { action: 'user.password_changed', subject_id: id, details: { by: 'manager' } },
        { action: 'user.updated', subject_id: id, details },
      ];
    },
  ],
  [
    'PUT /api/v1/users/me',
    async () => {
      const member = await tenant.member('manager');
      const { id, api } = member;
      const body = { name: 'Mia', password: 'another passphrase', current_password: PASSWORD };
      const answer = await api.put('/api/v1/users/me', body);
      return [
        answer,
        { action: 'user.password_changed', subject_id: id, details: {}, by: member },
        { action: 'user.updated', subject_id: id, details: { changed: ['name'] }, by: member },
      ];
    },
  ],
  [
    'PUT /api/v1/users/{id}/avatar',
    async () => {
      const { id } = await tenant.member();
      const answer = await uploadPicture(`/api/v1/users/${id}/avatar`, 'PUT');
      return [answer, { action: 'user.updated', subject_id: id, details: { changed: ['avatar_url'] } }];
    },
  ],
  [
    'DELETE /api/v1/users/{id}/avatar',
    async () => {
      const { id } = await tenant.member();
      const path = `/api/v1/users/${id}/avatar`;
      expectStatus(await uploadPicture(path, 'PUT'), 200);
      const answer = await owner.api.delete(path);
      return [answer, { action: 'user.updated', subject_id: id, details: { changed: ['avatar_url'] } }];
    },
  ],
  [
    'POST /api/v1/customers',
    async () => {
      const answer = await owner.api.post('/api/v1/customers', {
        name: 'Vera Cruz',
        email: 'v@cruz.example',
      });
      return [answer, { action: 'customer.created', subject_id: answer.body.data.id }];
    },
  ],
  [
    'PUT /api/v1/customers/{id}',
    async () => {
      const id = await createCustomer();
      const input = { name: 'Vera Cruz', notes: 'Owes 7', phone: '', metadata: { a: 1 } };
      const answer = await owner.api.put(`/api/v1/customers/${id}`, input);
      const details = { changed: ['notes', 'metadata'] };
      return [answer, { action: 'customer.updated', subject_id: id, details }];
    },
  ],
  [
    'DELETE /api/v1/customers/{id}',
    async () => {
      const id = await createCustomer();
      const answer = await owner.api.delete(`/api/v1/customers/${id}`);
      return [answer, { action: 'customer.deleted', subject_id: id, details: { erased: false } }];
    },
  ],
  [
    'POST /api/v1/customers/merge',
    async () => {
      const [primary_id, duplicate] = [await createCustomer(), await createCustomer()];
      const ids = { primary_id, duplicate_ids: [duplicate] };
      const answer = await owner.api.post('/api/v1/customers/merge', ids);
      const details = { duplicate_ids: [duplicate] };
      return [answer, { action: 'customer.merged', subject_id: primary_id, details }];
    },
  ],
  [
    'POST /api/v1/customers/{id}/erase',
    async () => {
      const id = await createCustomer();
      const answer = await owner.api.post(`/api/v1/customers/${id}/erase`);
      return [answer, { action: 'customer.deleted', subject_id: id, details: { erased: true } }];
    },
  ],
  [
    'POST /api/v1/access-links',
    async () => {
      const answer = await owner.api.post('/api/v1/access-links', { department_id: department.id });
      const details = { department_id: department.id, customer_id: null };
      return [answer, { action: 'access_link.created', subject_id: answer.body.data.id, details }];
    },
  ],
  [
    'POST /api/v1/access-links/batch',
    async () => {
      const links = [{ department_id: department.id }];
      const answer = await owner.api.post('/api/v1/access-links/batch', { links });
      const details = { department_id: department.id, customer_id: null };
      return [answer, { action: 'access_link.created', subject_id: answer.body.data[0].id, details }];
    },
  ],
  [
    'POST /api/v1/access-links/{id}/cancel',
    async () => {
      const { id } = await tenant.link(department.id);
      const answer = await owner.api.post(`/api/v1/access-links/${id}/cancel`);
      return [answer, { action: 'access_link.cancelled', subject_id: id, details: {} }];
    },
  ],
  [
    'POST /api/v1/appointments',
    async () => {
      const answer = await owner.api.post(APPOINTMENTS, { ...slot(), title: 'For Eva' });
      const details = { department_id: department.id, user_id: agent.id, customer_id: null };
      return [answer, { action: 'appointment.created', subject_id: answer.body.data.id, details }];
    },
  ],
  [
    'PUT /api/v1/appointments/{id}',
    async () => {
      const { id, title } = await book(tenant, { ...slot(), title: 'For Eva' });
      const answer = await owner.api.put(`${APPOINTMENTS}/${id}`, { title, notes: 'She owes us 7' });
      return [answer, { action: 'appointment.updated', subject_id: id, details: { changed: ['notes'] } }];
    },
  ],
  [
    'POST /api/v1/appointments/{id}/confirm',
    async () => {
      const { id } = await book(tenant, slot());
      const answer = await owner.api.post(`${APPOINTMENTS}/${id}/confirm`);
      const details = { department_id: department.id, customer_id: null };
      return [
        answer,
        { action: 'access_link.created', subject_id: answer.body.data.access_link.id, details },
        { action: 'appointment.confirmed', subject_id: id },
      ];
    },
  ],
  [
    'POST /api/v1/appointments/{id}/cancel',
    async () => {
      const { id, access_link } = await bookConfirmed(tenant, slot());
      const answer = await owner.api.post(`${APPOINTMENTS}/${id}/cancel`);
      return [
        answer,
        { action: 'access_link.cancelled', subject_id: access_link.id },
        { action: 'appointment.cancelled', subject_id: id },
      ];
    },
  ],
  [
    'POST /api/v1/appointments/{id}/complete',
    async () => {
      const { id } = await book(tenant, slot());
      const answer = await agent.api.post(`${APPOINTMENTS}/${id}/complete`);
      return [answer, { action: 'appointment.completed', subject_id: id, by: agent }];
    },
  ],
  [
    'POST /api/v1/appointments/{id}/no-show',
    async () => {
      const { id } = await book(tenant, slot());
      const answer = await owner.api.post(`${APPOINTMENTS}/${id}/no-show`);
      return [answer, { action: 'appointment.no_show', subject_id: id }];
    },
  ],
  [
    'POST /api/v1/webhooks',
    async () => {
      const answer = await owner.api.post('/api/v1/webhooks', {
        url: UNREACHABLE_URL,
        events: ['call.rated'],
      });
      return [answer, { action: 'webhook.created', subject_id: answer.body.data.id }];
    },
  ],
  [
    'PUT /api/v1/webhooks/{id}',
    async () => {
      const { id } = await createWebhook(tenant);
      const answer = await owner.api.put(`/api/v1/webhooks/${id}`, {
        url: UNREACHABLE_URL,
        description: 'CRM',
      });
      return [answer, { action: 'webhook.updated', subject_id: id, details: { changed: ['description'] } }];
    },
  ],
  [
    'DELETE /api/v1/webhooks/{id}',
    async () => {
      const { id } = await createWebhook(tenant);
      const answer = await owner.api.delete(`/api/v1/webhooks/${id}`);
      const deactivation = { action: 'webhook.updated', subject_id: id, details: { changed: ['active'] } };
      return [answer, { action: 'webhook.deleted', subject_id: id }, deactivation];
    },
  ],
  [
    'POST /api/v1/webhooks/{id}/rotate-secret',
    async () => {
      const { id } = await createWebhook(tenant);
      const answer = await owner.api.post(`/api/v1/webhooks/${id}/rotate-secret`);
      return [answer, { action: 'webhook.secret_rotated', subject_id: id }];
    },
  ],
  [
    'POST /api/v1/webhooks/{id}/test',
    async () => {
      const { id } = await createWebhook(tenant);
      const answer = await owner.api.post(`/api/v1/webhooks/${id}/test`);
      return [answer, { action: 'webhook.tested', subject_id: id }];
    },
  ],
  [
    'POST /api/v1/webhooks/{id}/replay',
    async () => {
      const { id } = await createWebhook(tenant);
      const range = { from: '2026-01-31T12:00:00.000Z' };
      const answer = await owner.api.post(`/api/v1/webhooks/${id}/replay`, range);
      return [answer, { action: 'webhook.replayed', subject_id: id, details: { count: 0 } }];
    },
  ],
  [
    'POST /api/v1/webhooks/{id}/deliveries/{delivery_id}/redeliver',
    async () => {
      const { id } = await createWebhook(tenant);
      const delivery = await insertFailedDelivery(test.db, tenant.id, id);
      const answer = await owner.api.post(`/api/v1/webhooks/${id}/deliveries/${delivery}/redeliver`);
      return [answer, { action: 'webhook.replayed', subject_id: id, details: { count: 1 } }];
    },
  ],
  [
    'PUT /api/v1/calls/{id}',
    async () => {
      const id = await queuedCall();
      const answer = await owner.api.put(`/api/v1/calls/${id}`, { priority: 2 });
      const details = { changed: ['priority', 'rank_at'] };
      return [answer, { action: 'call.updated', subject_id: id, details }];
    },
  ],
  [
    'POST /api/v1/calls/{id}/assign',
    async () => {
      const id = await assignedCall();
      const answer = await owner.api.post(`/api/v1/calls/${id}/assign`, { user_id: owner.id });
      const details = { user_id: owner.id, previous_user_id: agent.id };
      return [answer, { action: 'call.assigned', subject_id: id, details }];
    },
  ],
  [
    'POST /api/v1/calls/{id}/start',
    async () => {
      const id = await assignedCall();
      const answer = await agent.api.post(`/api/v1/calls/${id}/start`);
      return [answer, { action: 'call.started', subject_id: id, details: { user_id: agent.id }, by: agent }];
    },
  ],
  [
    'POST /api/v1/calls/{id}/complete',
    async () => {
      const id = await queuedCall();
      const answer = await owner.api.post(`/api/v1/calls/${id}/complete`, { notes: 'Owes 7' });
      const details = { user_id: owner.id, previous_user_id: null };
      return [
        answer,
        { action: 'call.assigned', subject_id: id, details },
        { action: 'call.completed', subject_id: id, details: { end_reason: 'normal' } },
      ];
    },
  ],
  [
    'POST /api/v1/calls/{id}/transfer',
    async () => {
      const id = await assignedCall();
      expectStatus(await agent.api.post(`/api/v1/calls/${id}/start`), 200);
      const { id: department_id } = await tenant.department();
      const answer = await owner.api.post(`/api/v1/calls/${id}/transfer`, { department_id, note: 'Owes 7' });
      const previous = { previous_department_id: department.id, previous_user_id: agent.id };
      const details = { department_id, user_id: null, ...previous };
      return [answer, { action: 'call.transferred', subject_id: id, details }];
    },
  ],
  [
    'POST /api/v1/calls/{id}/manager-notes',
    async () => {
      const id = await queuedCall();
      expectStatus(await owner.api.post(`/api/v1/calls/${id}/complete`), 200);
      const answer = await owner.api.post(`/api/v1/calls/${id}/manager-notes`, { notes: 'Owes 7' });
      return [answer, { action: 'call.updated', subject_id: id, details: { changed: ['manager_notes'] } }];
    },
  ],
  [
    'POST /api/v1/calls/{call_id}/tags',
    async () => {
      const [id, tag_id] = [await queuedCall(), await createTag()];
      const answer = await agent.api.post(`/api/v1/calls/${id}/tags`, { tag_id });
      const details = { changed: ['tags'] };
      return [answer, { action: 'call.updated', subject_id: id, details, by: agent }];
    },
  ],
  [
    'DELETE /api/v1/calls/{call_id}/tags/{tag_id}',
    async () => {
      const [id, tag_id] = [await queuedCall(), await createTag()];
      expectStatus(await agent.api.post(`/api/v1/calls/${id}/tags`, { tag_id }), 201);
      const answer = await owner.api.delete(`/api/v1/calls/${id}/tags/${tag_id}`);
      return [answer, { action: 'call.updated', subject_id: id, details: { changed: ['tags'] } }];
    },
  ],
  [
    'POST /api/v1/calls/{call_id}/upload',
    async () => {
      const id = await queuedCall();
      const part: Part = ['file', Buffer.from('a file'), 'note.txt'];
      const answer = await upload(test, `/api/v1/calls/${id}/upload`, [part], { token: agent.token });
      return [
        answer,
        { action: 'call.updated', subject_id: id, details: { changed: ['files'] }, by: agent },
        {
          action: 'call_file.uploaded',
          subject_id: answer.body.data.id,
          details: { call_id: id },
          by: agent,
        },
      ];
    },
  ],
  [
    'POST /api/v1/calls/{call_id}/recording/upload',
    async () => {
      const id = await queuedCall();
      const answer = await uploadRecording(test, id, agent);
      const details = { changed: ['has_recording'] };
      return [
        answer,
        { action: 'call.updated', subject_id: id, details, by: agent },
        {
          action: 'recording.ready',
          subject_id: answer.body.data.id,
          details: { call_id: id },
          by: agent,
        },
      ];
    },
  ],
  [
    'POST /api/v1/calls/{call_id}/recording/ticket',
    async () => {
      const id = await queuedCall();
      const recording = await createRecording(test, id, agent);
      const answer = await agent.api.post(`/api/v1/calls/${id}/recording/ticket`);
      const details = { call_id: id, ticket_id: expect.any(String) };
      return [answer, { action: 'recording.ticket_issued', subject_id: recording.id, details, by: agent }];
    },
  ],
  [
    'DELETE /api/v1/calls/{call_id}/recording',
    async () => {
      const id = await queuedCall();
      const recording = await createRecording(test, id, agent);
      const answer = await owner.api.delete(`/api/v1/calls/${id}/recording`);
      return [
        answer,
        { action: 'call.updated', subject_id: id, details: { changed: ['has_recording'] } },
        { action: 'recording.deleted', subject_id: recording.id, details: { call_id: id } },
      ];
    },
  ],
  [
    'POST /api/v1/calls/{call_id}/transcript/retry',
    async () => {
      const id = await queuedCall();
      const recording = await createRecording(test, id, agent);
      await insertTranscriptResults(test.db, id, 'failed');
      const answer = await owner.api.post(`/api/v1/calls/${id}/transcript/retry`);
      return [answer, { action: 'transcript.retried', subject_id: recording.id, details: { call_id: id } }];
    },
  ],
  [
    'PATCH /api/v1/calls/{call_id}/recording/tus/{upload_id}',
    async () => {
      const id = await queuedCall();
      const path = `/api/v1/calls/${id}/recording/tus/${await beginUpload(agent.api, id)}`;
      const answer = await agent.api.send('PATCH', path, {
        headers: WHOLE_UPLOAD_HEADERS,
        body: TEXTUAL_RECORDING,
      });
      const recording = answer.headers.get('recording-id') ?? '';
      return [
        answer,
        { action: 'call.updated', subject_id: id, details: { changed: ['has_recording'] }, by: agent },
        { action: 'recording.ready', subject_id: recording, details: { call_id: id }, by: agent },
      ];
    },
  ],
  [
    'POST /api/v1/tags',
    async () => {
      const answer = await owner.api.post('/api/v1/tags', { name: 'Refunds' });
      return [answer, { action: 'tag.created', subject_id: answer.body.data.id }];
    },
  ],
  [
    'PUT /api/v1/tags/{id}',
    async () => {
      const [id, parent_id] = [await createTag(), await createTag()];
      const answer = await owner.api.put(`/api/v1/tags/${id}`, { parent_id, description: null });
      return [answer, { action: 'tag.updated', subject_id: id, details: { changed: ['parent_id'] } }];
    },
  ],
  [
    'DELETE /api/v1/tags/{id}',
    async () => {
      const [id, child] = [await createTag(), await createTag()];
      expectStatus(await owner.api.put(`/api/v1/tags/${child}`, { parent_id: id }), 200);
      const answer = await owner.api.delete(`/api/v1/tags/${id}`);
      return [
        answer,
        { action: 'tag.deleted', subject_id: id },
        { action: 'tag.updated', subject_id: child, details: { changed: ['parent_id'] } },
      ];
    },
  ],
  [
    'POST /api/v1/canned-replies',
    async () => {
      const answer = await owner.api.post('/api/v1/canned-replies', { title: 'Greeting', text: 'Hello' });
      return [answer, { action: 'canned_reply.created', subject_id: answer.body.data.id }];
    },
  ],
  [
    'PUT /api/v1/canned-replies/{id}',
    async () => {
      const id = await createCannedReply();
      const answer = await owner.api.put(`/api/v1/canned-replies/${id}`, { title: 'Greeting', text: 'Hi' });
      const details = { changed: ['text'] };
      return [answer, { action: 'canned_reply.updated', subject_id: id, details }];
    },
  ],
  [
    'DELETE /api/v1/canned-replies/{id}',
    async () => {
      const id = await createCannedReply();
      const answer = await owner.api.delete(`/api/v1/canned-replies/${id}`);
      return [answer, { action: 'canned_reply.deleted', subject_id: id }];
    },
  ],
  [
    'POST /api/v1/skills',
    async () => {
      const answer = await owner.api.post('/api/v1/skills', { name: 'Portuguese' });
      return [answer, { action: 'skill.created', subject_id: answer.body.data.id }];
    },
  ],
  [
    'PUT /api/v1/skills/{id}',
    async () => {
      const id = await createSkill(tenant);
      const answer = await owner.api.put(`/api/v1/skills/${id}`, { name: 'Spanish', description: '' });
      return [answer, { action: 'skill.updated', subject_id: id, details: { changed: ['name'] } }];
    },
  ],
  [
    'DELETE /api/v1/skills/{id}',
    async () => {
      const id = await createSkill(tenant);
      await giveSkills(tenant, agent.id, { [id]: 2 });
      const answer = await owner.api.delete(`/api/v1/skills/${id}`);
      return [answer, { action: 'skill.deleted', subject_id: id }];
    },
  ],
  [
    'PUT /api/v1/users/{id}/skills',
    async () => {
      const skill_id = await createSkill(tenant);
      const answer = await owner.api.put(`/api/v1/users/${agent.id}/skills`, {
        skills: [{ skill_id, level: 4 }],
      });
      const details = { skill_ids: [skill_id] };
      return [answer, { action: 'user.skills_changed', subject_id: agent.id, details }];
    },
  ],
  [
    'PUT /api/v1/users/{id}/state',
    async () => {
      const member = await tenant.member();
      const answer = await owner.api.put(`/api/v1/users/${member.id}/state`, { state: 'paused' });
      const details = { chosen: 'away' };
      return [answer, { action: 'user.presence_chosen', subject_id: member.id, details }];
    },
  ],
  [
    'POST /api/v1/users/me/wrap-up/finish',
    async () => {
      const member = await tenant.member();
      await beginWrapUp(test, member.id);
      const answer = await member.api.post('/api/v1/users/me/wrap-up/finish');
      const details = { change: 'finished' };
      return [answer, { action: 'user.wrap_up_changed', subject_id: member.id, details, by: member }];
    },
  ],
  [
    'POST /api/v1/users/me/wrap-up/extend',
    async () => {
      const member = await tenant.member();
      await beginWrapUp(test, member.id);
      const answer = await member.api.post('/api/v1/users/me/wrap-up/extend', { seconds: 60 });
      const details = { change: 'extended' };
      return [answer, { action: 'user.wrap_up_changed', subject_id: member.id, details, by: member }];
    },
  ],
  [
    'POST /api/v1/calls/{id}/offer',
    async () => {
      const { answer, member, offer } = await offered();
      const details = { offer_id: offer.id, user_id: member.id, kind: 'forced' };
      return [answer, { action: 'call.offered', subject_id: offer.call_id, details }];
    },
  ],
  [
    'POST /api/v1/offers/{id}/accept',
    async () => {
      const { member, offer } = await offered();
      const answer = await member.api.post(`/api/v1/offers/${offer.id}/accept`);
      const row = { subject_id: offer.call_id, by: member };
      const ended = { offer_id: offer.id, user_id: member.id, kind: 'forced', status: 'accepted' };
      return [
        answer,
        { ...row, action: 'call.assigned', details: { user_id: member.id, previous_user_id: null } },
        { ...row, action: 'call.offer_ended', details: ended },
        { ...row, action: 'call.started', details: { user_id: member.id } },
      ];
    },
  ],
  [
    'POST /api/v1/offers/{id}/decline',
    async () => {
      const { member, offer } = await offered();
      const answer = await member.api.post(`/api/v1/offers/${offer.id}/decline`, { reason: 'Lunch' });
      const details = { offer_id: offer.id, user_id: member.id, kind: 'forced', status: 'declined' };
      return [answer, { action: 'call.offer_ended', subject_id: offer.call_id, details, by: member }];
    },
  ],
  [
    'POST /api/v1/users/{id}/invitation',
    async () => {
      const input = { name: 'Caio Melo', email: 'caio@melo.example', role: 'attendant' };
      const { id } = (await owner.api.post('/api/v1/users', input)).body.data;
      const answer = await owner.api.post(`/api/v1/users/${id}/invitation`);
      return [answer, { action: 'user.invited', subject_id: id }];
    },
  ],
  [
    'DELETE /api/v1/users/me/sessions/{id}',
    async () => {
      const member = await tenant.member();
      await login(test, tenant.slug, member.email);
      const { data } = (await member.api.get('/api/v1/users/me/sessions')).body;
      const { id } = data.find(({ current }: Json) => !current);
      const answer = await member.api.delete(`/api/v1/users/me/sessions/${id}`);
      const details = { user_id: member.id, reason: 'revoked' };
      return [answer, { action: 'session.revoked', subject_id: id, details, by: member }];
    },
  ],
  [
    'POST /api/auth/logout',
    async () => {
      const member = await tenant.member();
      const { data } = (await member.api.get('/api/v1/users/me/sessions')).body;
      const answer = await member.api.post('/api/auth/logout', {});
      const details = { user_id: member.id, reason: 'logout' };
      return [answer, { action: 'session.revoked', subject_id: data[0].id, details, by: member }];
    },
  ],
  [
    'POST /api/v1/users/me/mfa/confirm',
    async () => {
      const { member, answer } = await memberWithMfa();
      return [answer, { action: 'user.mfa_enabled', subject_id: member.id, by: member }];
    },
  ],
  [
    'DELETE /api/v1/users/me/mfa',
    async () => {
      const { member, recoveryCode } = await memberWithMfa();
      const answer = await member.api.send('DELETE', '/api/v1/users/me/mfa', {
        body: { code: recoveryCode },
      });
      return [answer, { action: 'user.mfa_disabled', subject_id: member.id, by: member }];
    },
  ],
  [
    'DELETE /api/v1/users/{id}/mfa',
    async () => {
      const { member } = await memberWithMfa();
      const { data } = (await member.api.get('/api/v1/users/me/sessions')).body;
      const answer = await owner.api.delete(`/api/v1/users/${member.id}/mfa`);
      const details = { user_id: member.id, reason: 'mfa_reset' };
      return [
        answer,
        { action: 'session.revoked', subject_id: data[0].id, details },
        { action: 'user.mfa_disabled', subject_id: member.id },
      ];
    },
  ],
  [
    'PUT /api/v1/tenant',
    async () => {
      const answer = await owner.api.put('/api/v1/tenant', { service_level_seconds: 37 });
      const details = { changed: ['service_level_seconds'] };
      return [answer, { action: 'tenant.updated', subject_id: tenant.id, details }];
    },
  ],
  [
    'POST /api/v1/tenant/logo',
    async () => {
      const answer = await uploadLogo();
      const details = { changed: ['logo_url'] };
      return [answer, { action: 'tenant.updated', subject_id: tenant.id, details }];
    },
  ],
  [
    'DELETE /api/v1/tenant/logo',
    async () => {
      expectStatus(await uploadLogo(), 201);
      const answer = await owner.api.delete('/api/v1/tenant/logo');
      const details = { changed: ['logo_url'] };
      return [answer, { action: 'tenant.updated', subject_id: tenant.id, details }];
    },
  ],
];

/** Routes that change nothing, but hand out personal data. */
const reads: typeof writes = [
  [
    'GET /api/v1/customers/{id}/export',
    async () => {
      const id = await createCustomer();
      const path = `/api/v1/customers/${id}/export`;
      expectStatus(await owner.api.send('HEAD', path), 200);
      const { rows } = await test.db.query('SELECT action FROM audit_log WHERE subject_id = $1', [id]);
      expect(rows).not.toContainEqual({ action: 'customer.exported' });
      const answer = await owner.api.get(path);
      return [answer, { action: 'customer.exported', subject_id: id }];
    },
  ],
  [
    'GET /api/v1/calls/{call_id}/recording',
    async () => {
      const id = await queuedCall();
      const recording = await createRecording(test, id, agent);
      const answer = await agent.api.get(`/api/v1/calls/${id}/recording`);
      const details = { call_id: id, session_id: expect.any(String) };
      return [answer, { action: 'recording.downloaded', subject_id: recording.id, details, by: agent }];
    },
  ],
  [
    'GET /api/v1/recordings/play',
    async () => {
      const id = await queuedCall();
      const recording = await createRecording(test, id, agent);
      const { url } = (await agent.api.post(`/api/v1/calls/${id}/recording/ticket`)).body.data;
      const answer = await test.api.get(url);
      const details = { call_id: id, ticket_id: expect.any(String) };
      return [answer, { action: 'recording.played', subject_id: recording.id, details, by: agent }];
    },
  ],
  ...(['transcript', 'summary'] as const).map((text): (typeof writes)[number] => [
    `GET /api/v1/calls/{call_id}/${text}`,
    async () => {
      const id = await queuedCall();
      const recording = await createRecording(test, id, agent);
      await insertTranscriptResults(test.db, id, 'ready');
      const path = `/api/v1/calls/${id}/${text}`;
      expectStatus(await agent.api.send('HEAD', path), 200);
      const answer = await agent.api.get(path);
      // It is read again at once.
      expectStatus(await agent.api.get(path), 200);
      const { rows } = await test.db.query(
        `SELECT FROM audit_log WHERE subject_id = $1 AND action = 'recording.${text}_read'`,
        [recording.id],
      );
      expect(rows).toHaveLength(1);
      const details = { call_id: id, session_id: expect.any(String) };
      return [answer, { action: `recording.${text}_read`, subject_id: recording.id, details, by: agent }];
    },
  ]),
  [
    'GET /api/v1/calls/{call_id}/files/{id}',
    async () => {
      const call_id = await queuedCall();
      const part: Part = ['file', Buffer.from('a file'), 'note.txt'];
      const file = await upload(test, `/api/v1/calls/${call_id}/upload`, [part], { token: agent.token });
      const { id, url } = file.body.data;
      const answer = await agent.api.get(url);
      const details = { call_id, session_id: expect.any(String) };
      return [answer, { action: 'call_file.downloaded', subject_id: id, details, by: agent }];
    },
  ],
];

it.each([...writes, ...reads])('%s writes exactly the expected audit rows', async (_operation, write) => {
  const [answer, ...entries] = await write();
  expect(answer.status).toBeLessThan(300);
  expect(await auditedBy(test, answer)).toEqual(
    entries.map(({ action, subject_id, details = {}, by = owner }) => ({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      tenant_id: tenant.id,
      user_id: by.id,
      action,
      subject_type: action.split('.')[0],
      subject_id,
      details,
      address: '127.0.0.1',
      request_id: answer.headers.get('x-request-id'),
      inserted_at: expect.any(Date),
    })),
  );
});

it('every write route for staff is listed in this file', async () => {
  const known = new Set([...writes.map(([operation]) => operation), ...UNAUDITED_ROUTES]);
  const operations = (await operationsOf(test)).filter(
    ({ method, isPublic }) => method !== 'GET' && !isPublic,
  );
  const names = operations.map(({ method, path }) => `${method} ${path}`);
  expect(names.filter((name) => !known.has(name))).toEqual([]);
  expect(names.length).toBeGreaterThan(15);
});
