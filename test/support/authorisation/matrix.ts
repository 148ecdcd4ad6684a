import { freeSlot } from '../contexts/appointments';
import type { Attempt } from './attempt';
import { PUBLIC_ROUTES } from './matrix.public';
import { type Caller, FILE_PARTS, type Scene, TAKEN_SLOT } from './scene';
import { type Member, PASSWORD } from '../builders';
import { enrol, enrolledMember } from '../contexts/mfa';
import { newRecording } from '../contexts/recordings';
import { createSkill } from '../contexts/skills';
import { beginUpload, TEXTUAL_RECORDING, WHOLE_UPLOAD_HEADERS } from '../contexts/tus';
import { UNREACHABLE_URL } from '../contexts/webhooks';

/** The statuses for no token, attendant, supervisor, manager, owner, and the owner of another tenant. */
export type Statuses = readonly [number, number, number, number, number, number];

/** The expected access to one route. */
export interface Row {
  statuses: Statuses;
  /** Creates the request for each caller, with records that the request may change or delete. */
  attempt?: (scene: Scene, caller: Caller) => Attempt | Promise<Attempt>;
  /** A write of staff without a row in the audit log, because it has no effect yet. */
  unaudited?: true;
  /** A read that adds a row to the audit log and changes nothing else. */
  audited?: true;
}

/** The caller member records the request names: the owner for callers outside the tenant. */
const insiderFor = (caller: Caller): Caller =>
  caller === 'nobody' || caller === 'stranger' ? 'owner' : caller;

/** Creates an upload of the caller. @returns the ids of its call and of the upload */
async function ownUpload(scene: Scene, caller: Caller): Promise<[string, string]> {
  const id = await scene.queuedCall();
  const upload = await beginUpload(scene.tenant.owner.api, id);
  await scene.test.db.query('UPDATE recording_uploads SET user_id = $2 WHERE id = $1', [
    upload,
    scene.member(insiderFor(caller))?.id,
  ]);
  return [id, upload];
}

/** The access of each role to each route, as specified and independent of the code. */
export const MATRIX: Record<string, Row> = {
  ...PUBLIC_ROUTES,

  'POST /api/auth/logout': {
    statuses: [401, 204, 204, 204, 204, 204],
    attempt: async (scene, caller) => {
      const member = scene.member(caller);
      return { body: {}, as: member && (await scene.session(member)).member };
    },
  },

  'GET /api/v1/users/me': { statuses: [401, 200, 200, 200, 200, 200] },
  'PUT /api/v1/users/me': {
    statuses: [401, 200, 200, 200, 200, 200],
    attempt: (scene) => ({ body: { name: scene.uniqueName('Renamed') } }),
  },
  'GET /api/v1/users/me/sessions': { statuses: [401, 200, 200, 200, 200, 200] },
  'DELETE /api/v1/users/me/sessions/{id}': {
    statuses: [401, 204, 204, 204, 204, 404],
    attempt: async (scene, caller) => {
      const member = scene.member(insiderFor(caller)) as Member;
      return { ids: [(await scene.session(member)).id] };
    },
  },
  'POST /api/v1/users/me/mfa': {
    statuses: [401, 200, 200, 200, 200, 200],
    attempt: async (scene, caller) => ({ as: await scene.newcomer(caller) }),
    unaudited: true,
  },
  'POST /api/v1/users/me/mfa/confirm': {
    statuses: [401, 200, 200, 200, 200, 200],
    attempt: async (scene, caller) => {
      const as = await scene.newcomer(caller);
      return { as, body: as ? await scene.startEnrolment(as) : { code: '123456' } };
    },
  },
  'DELETE /api/v1/users/me/mfa': {
    statuses: [401, 204, 204, 204, 204, 204],
    attempt: async (scene, caller) => {
      const as = await scene.newcomer(caller);
      return { as, body: { code: as ? (await enrol(scene.test, as)).code() : '123456' } };
    },
  },

  'GET /api/v1/users': { statuses: [401, 403, 200, 200, 200, 200] },
  'GET /api/v1/users/{id}': {
    statuses: [401, 403, 200, 200, 200, 404],
    attempt: ({ user }) => ({ ids: [user.id] }),
  },
  'POST /api/v1/users/batch': {
    statuses: [401, 403, 403, 201, 201, 201],
    attempt: (scene) => ({
      body: {
        users: [{ name: 'Nina Nova', email: `nina${scene.next()}@example.com`, role: 'attendant' }],
      },
    }),
  },
  'POST /api/v1/users': {
    statuses: [401, 403, 403, 201, 201, 201],
    attempt: (scene) => ({
      body: {
        name: 'Nina Nova',
        email: `nina${scene.next()}@example.com`,
        role: 'attendant',
        password: PASSWORD,
      },
    }),
  },
  'PUT /api/v1/users/{id}': {
    statuses: [401, 403, 403, 200, 200, 404],
    attempt: (scene) => ({ ids: [scene.user.id], body: { name: scene.uniqueName('Renamed') } }),
  },
  'PUT /api/v1/users/{id}/avatar': {
    statuses: [401, 403, 403, 200, 200, 404],
    attempt: async (scene) => ({ ids: [scene.user.id], parts: await scene.picture() }),
  },
  'DELETE /api/v1/users/{id}/avatar': {
    statuses: [401, 403, 403, 204, 204, 404],
    attempt: async (scene) => {
      await scene.avatar();
      return { ids: [scene.user.id] };
    },
  },
  'POST /api/v1/users/{id}/invitation': {
    statuses: [401, 403, 403, 200, 200, 404],
    attempt: async (scene) => ({ ids: [await scene.invitee()] }),
  },
  'DELETE /api/v1/users/{id}/mfa': {
    statuses: [401, 403, 403, 204, 204, 404],
    attempt: async ({ test, tenant }) => ({ ids: [(await enrolledMember(test, tenant)).member.id] }),
  },

  'GET /api/v1/tenant': { statuses: [401, 403, 403, 200, 200, 200] },
  'PUT /api/v1/tenant': {
    statuses: [401, 403, 403, 200, 200, 200],
    attempt: (scene) => ({ body: { service_level_seconds: 100 + scene.next() } }),
  },
  'POST /api/v1/tenant/logo': {
    statuses: [401, 403, 403, 201, 201, 201],
    attempt: async (scene) => ({ parts: await scene.picture() }),
  },
  'DELETE /api/v1/tenant/logo': {
    statuses: [401, 403, 403, 204, 204, 204],
    attempt: async (scene) => {
      await scene.logo();
      return {};
    },
  },
  'GET /api/v1/billing/plan': { statuses: [401, 403, 403, 200, 200, 200] },
  'GET /api/v1/export/calls.csv': { statuses: [401, 403, 200, 200, 200, 200], audited: true },
  'GET /api/v1/export/customers.csv': { statuses: [401, 403, 200, 200, 200, 200], audited: true },
  'GET /api/v1/export/links.csv': { statuses: [401, 403, 200, 200, 200, 200], audited: true },
  'GET /api/v1/webhooks': { statuses: [401, 403, 403, 200, 200, 200] },
  'POST /api/v1/webhooks': {
    statuses: [401, 403, 403, 201, 201, 201],
    attempt: () => ({ body: { url: UNREACHABLE_URL, events: ['call.rated'] } }),
  },
  'GET /api/v1/webhooks/{id}': {
    statuses: [401, 403, 403, 200, 200, 404],
    attempt: async (scene) => ({ ids: [await scene.webhook()] }),
  },
  'PUT /api/v1/webhooks/{id}': {
    statuses: [401, 403, 403, 200, 200, 404],
    attempt: async (scene) => ({ ids: [await scene.newWebhook()], body: { description: 'New' } }),
  },
  'DELETE /api/v1/webhooks/{id}': {
    statuses: [401, 403, 403, 204, 204, 404],
    attempt: async (scene) => ({ ids: [await scene.newWebhook()] }),
  },
  'POST /api/v1/webhooks/{id}/rotate-secret': {
    statuses: [401, 403, 403, 200, 200, 404],
    attempt: async (scene) => ({ ids: [await scene.webhook()] }),
  },
  'POST /api/v1/webhooks/{id}/test': {
    statuses: [401, 403, 403, 200, 200, 404],
    attempt: async (scene) => ({ ids: [await scene.webhook()] }),
  },
  'POST /api/v1/webhooks/{id}/replay': {
    statuses: [401, 403, 403, 202, 202, 404],
    attempt: async (scene) => ({ ids: [await scene.webhook()], body: { from: '2026-01-31T12:00:00.000Z' } }),
  },
  'GET /api/v1/webhooks/{id}/deliveries': {
    statuses: [401, 403, 403, 200, 200, 404],
    attempt: async (scene) => ({ ids: [await scene.webhook()] }),
  },
  'GET /api/v1/webhooks/{id}/deliveries/{delivery_id}': {
    statuses: [401, 403, 403, 200, 200, 404],
    attempt: async (scene) => ({ ids: await scene.delivery() }),
  },
  'POST /api/v1/webhooks/{id}/deliveries/{delivery_id}/redeliver': {
    statuses: [401, 403, 403, 202, 202, 404],
    attempt: async (scene) => ({ ids: await scene.delivery() }),
  },
  'GET /api/v1/analytics/overview': { statuses: [401, 403, 200, 200, 200, 200] },
  'GET /api/v1/analytics/hourly': { statuses: [401, 403, 200, 200, 200, 200] },
  'GET /api/v1/analytics/agents': { statuses: [401, 403, 200, 200, 200, 200] },
  'GET /api/v1/analytics/trends': { statuses: [401, 403, 200, 200, 200, 200] },
  'GET /api/v1/analytics/estimates': { statuses: [401, 403, 200, 200, 200, 200] },
  'POST /api/v1/analytics/refresh-views': { statuses: [401, 403, 403, 200, 200, 200], unaudited: true },
  'GET /api/v1/audit-log': { statuses: [401, 403, 403, 200, 200, 200] },

  'GET /api/v1/departments': { statuses: [401, 403, 200, 200, 200, 200] },
  'POST /api/v1/departments': {
    statuses: [401, 403, 201, 201, 201, 201],
    attempt: (scene) => ({ body: { department: { name: scene.uniqueName('Department') } } }),
  },
  'GET /api/v1/departments/{id}': {
    statuses: [401, 403, 200, 200, 200, 404],
    attempt: ({ department }) => ({ ids: [department.id] }),
  },
  'PUT /api/v1/departments/{id}': {
    statuses: [401, 403, 200, 200, 200, 404],
    attempt: (scene) => ({
      ids: [scene.department.id],
      body: { department: { description: scene.uniqueName('For') } },
    }),
  },
  'GET /api/v1/departments/{id}/hours': {
    statuses: [401, 403, 200, 200, 200, 404],
    attempt: ({ department }) => ({ ids: [department.id] }),
  },
  'DELETE /api/v1/departments/{id}': {
    statuses: [401, 403, 204, 204, 204, 404],
    attempt: async ({ tenant }) => ({ ids: [(await tenant.department()).id] }),
  },
  'GET /api/v1/departments/{department_id}/users': {
    statuses: [401, 403, 200, 200, 200, 404],
    attempt: ({ department }) => ({ ids: [department.id] }),
  },
  'POST /api/v1/departments/{department_id}/users': {
    statuses: [401, 403, 201, 201, 201, 404],
    attempt: async ({ tenant, user }) => ({
      ids: [(await tenant.department()).id],
      body: { user_id: user.id },
    }),
  },
  'DELETE /api/v1/departments/{department_id}/users/{user_id}': {
    statuses: [401, 403, 204, 204, 204, 404],
    attempt: async ({ tenant, user }) => {
      const { id } = await tenant.department();
      await tenant.owner.api.post(`/api/v1/departments/${id}/users`, { user_id: user.id });
      return { ids: [id, user.id] };
    },
  },

  'GET /api/v1/tags': { statuses: [401, 200, 200, 200, 200, 200] },
  'GET /api/v1/tags/tree': { statuses: [401, 200, 200, 200, 200, 200] },
  'GET /api/v1/tags/{id}': {
    statuses: [401, 200, 200, 200, 200, 404],
    attempt: async (scene) => ({ ids: [await scene.tag()] }),
  },
  'POST /api/v1/tags': {
    statuses: [401, 403, 201, 201, 201, 201],
    attempt: (scene) => ({ body: { tag: { name: scene.uniqueName('Tag') } } }),
  },
  'PUT /api/v1/tags/{id}': {
    statuses: [401, 403, 200, 200, 200, 404],
    attempt: async (scene) => ({ ids: [await scene.tag()], body: { tag: { color: '#16a34a' } } }),
  },
  'DELETE /api/v1/tags/{id}': {
    statuses: [401, 403, 204, 204, 204, 404],
    attempt: async (scene) => ({ ids: [await scene.tag()] }),
  },

  'GET /api/v1/canned-replies': { statuses: [401, 200, 200, 200, 200, 200] },
  'GET /api/v1/canned-replies/{id}': {
    statuses: [401, 200, 200, 200, 200, 404],
    attempt: async (scene) => ({ ids: [await scene.cannedReply()] }),
  },
  'POST /api/v1/canned-replies': {
    statuses: [401, 403, 201, 201, 201, 201],
    attempt: () => ({ body: { canned_reply: { title: 'Greeting', text: 'Good morning' } } }),
  },
  'PUT /api/v1/canned-replies/{id}': {
    statuses: [401, 403, 200, 200, 200, 404],
    attempt: async (scene) => ({
      ids: [await scene.cannedReply()],
      body: { canned_reply: { text: 'Good evening' } },
    }),
  },
  'DELETE /api/v1/canned-replies/{id}': {
    statuses: [401, 403, 204, 204, 204, 404],
    attempt: async (scene) => ({ ids: [await scene.cannedReply()] }),
  },

  'GET /api/v1/skills': { statuses: [401, 200, 200, 200, 200, 200] },
  'GET /api/v1/skills/{id}': {
    statuses: [401, 200, 200, 200, 200, 404],
    attempt: async ({ tenant }) => ({ ids: [await createSkill(tenant)] }),
  },
  'POST /api/v1/skills': {
    statuses: [401, 403, 201, 201, 201, 201],
    attempt: (scene) => ({ body: { skill: { name: scene.uniqueName('Skill') } } }),
  },
  'PUT /api/v1/skills/{id}': {
    statuses: [401, 403, 200, 200, 200, 404],
    attempt: async ({ tenant }) => ({
      ids: [await createSkill(tenant)],
      body: { skill: { description: 'New' } },
    }),
  },
  'DELETE /api/v1/skills/{id}': {
    statuses: [401, 403, 204, 204, 204, 404],
    attempt: async ({ tenant }) => ({ ids: [await createSkill(tenant)] }),
  },
  'PUT /api/v1/users/{id}/skills': {
    statuses: [401, 403, 200, 200, 200, 404],
    attempt: async ({ tenant, user }) => ({
      ids: [user.id],
      body: { skills: [{ skill_id: await createSkill(tenant), level: 3 }] },
    }),
  },

  'GET /api/v1/agents': { statuses: [401, 403, 200, 200, 200, 200] },
  'PUT /api/v1/users/{id}/state': {
    statuses: [401, 403, 200, 200, 200, 404],
    attempt: async ({ tenant }) => ({
      ids: [(await tenant.member()).id],
      body: { state: 'paused' },
    }),
  },
  'POST /api/v1/users/me/wrap-up/finish': {
    statuses: [401, 200, 200, 200, 200, 200],
    attempt: async (scene, caller) => ({ as: await scene.wrappingUp(caller) }),
  },
  'POST /api/v1/users/me/wrap-up/extend': {
    statuses: [401, 200, 200, 200, 200, 200],
    attempt: async (scene, caller) => ({ as: await scene.wrappingUp(caller), body: { seconds: 60 } }),
  },

  'GET /api/v1/offers': {
    statuses: [401, 200, 200, 200, 200, 200],
    attempt: async (scene, caller) => ({ as: await scene.withOffer(caller) }),
  },
  'POST /api/v1/offers/{id}/accept': {
    statuses: [401, 200, 200, 200, 200, 404],
    attempt: (scene, caller) => scene.offered(caller),
  },
  'POST /api/v1/offers/{id}/decline': {
    statuses: [401, 200, 200, 200, 200, 404],
    attempt: async (scene, caller) => ({ ...(await scene.offered(caller)), body: { reason: 'Lunch' } }),
  },
  'POST /api/v1/calls/{id}/offer': {
    statuses: [401, 403, 201, 201, 201, 404],
    attempt: async (scene) => ({
      ids: [await scene.offerableCall()],
      body: { user_id: (await scene.onlineMember('attendant')).id },
    }),
  },

  'GET /api/v1/customers': { statuses: [401, 200, 200, 200, 200, 200] },
  'GET /api/v1/customers/duplicates': { statuses: [401, 200, 200, 200, 200, 200] },
  'POST /api/v1/customers': {
    statuses: [401, 201, 201, 201, 201, 201],
    attempt: (scene) => ({ body: { customer: { name: scene.uniqueName('Customer') } } }),
  },
  'GET /api/v1/customers/{id}': {
    statuses: [401, 200, 200, 200, 200, 404],
    attempt: async (scene) => ({ ids: [await scene.customer()] }),
  },
  'PUT /api/v1/customers/{id}': {
    statuses: [401, 200, 200, 200, 200, 404],
    attempt: async (scene) => ({
      ids: [await scene.customer()],
      body: { customer: { name: scene.uniqueName('Renamed') } },
    }),
  },
  'DELETE /api/v1/customers/{id}': {
    statuses: [401, 403, 204, 204, 204, 404],
    attempt: async (scene) => ({ ids: [await scene.customer()] }),
  },
  // The customers are unknown in the other tenant, and an unknown id in a body is answered with 422.
  'POST /api/v1/customers/merge': {
    statuses: [401, 403, 200, 200, 200, 422],
    attempt: async (scene) => ({
      body: { primary_id: await scene.customer(), duplicate_ids: [await scene.customer()] },
    }),
  },
  'GET /api/v1/customers/{id}/calls': {
    statuses: [401, 200, 200, 200, 200, 404],
    attempt: async (scene) => ({ ids: [await scene.customer()] }),
  },
  'GET /api/v1/customers/{id}/export': {
    statuses: [401, 403, 200, 200, 200, 404],
    attempt: async (scene) => ({ ids: [await scene.customer()] }),
    audited: true,
  },
  'POST /api/v1/customers/{id}/erase': {
    statuses: [401, 403, 403, 200, 200, 404],
    attempt: async (scene) => ({ ids: [await scene.customer()] }),
  },
  'GET /api/v1/erasures/{id}': {
    statuses: [401, 403, 403, 200, 200, 404],
    attempt: async (scene) => ({ ids: [await scene.erasure()] }),
  },

  'GET /api/v1/access-links': { statuses: [401, 200, 200, 200, 200, 200] },
  'GET /api/v1/access-links/{id}': {
    statuses: [401, 200, 200, 200, 200, 404],
    attempt: ({ link }) => ({ ids: [link.id] }),
  },
  // The department is unknown in the other tenant, and an unknown id in a body is answered with 422.
  'POST /api/v1/access-links': {
    statuses: [401, 201, 201, 201, 201, 422],
    attempt: ({ department }) => ({ body: { department_id: department.id } }),
  },
  'POST /api/v1/access-links/batch': {
    statuses: [401, 403, 201, 201, 201, 422],
    attempt: ({ department }) => ({ body: { links: [{ department_id: department.id }] } }),
  },
  'POST /api/v1/access-links/{id}/cancel': {
    statuses: [401, 200, 200, 200, 200, 404],
    attempt: async ({ tenant, department }) => ({ ids: [(await tenant.link(department.id)).id] }),
  },
  'GET /api/v1/access-links/{id}/qr.svg': {
    statuses: [401, 200, 200, 200, 200, 404],
    attempt: ({ link }) => ({ ids: [link.id] }),
  },

  'GET /api/v1/appointments': { statuses: [401, 200, 200, 200, 200, 200] },
  'GET /api/v1/appointments/conflicts': {
    statuses: [401, 200, 200, 200, 200, 200],
    attempt: ({ user, other }, caller) => {
      const { id: user_id } = caller === 'stranger' ? other.owner : user;
      return { query: `?${new URLSearchParams({ user_id, ...TAKEN_SLOT }).toString()}` };
    },
  },
  'GET /api/v1/appointments/{id}': {
    statuses: [401, 200, 200, 200, 200, 404],
    attempt: async (scene) => ({ ids: [await scene.appointment()] }),
  },
  // The agent is unknown in the other tenant.
  'POST /api/v1/appointments': {
    statuses: [401, 201, 201, 201, 201, 422],
    attempt: ({ test, user }) => ({ body: { user_id: user.id, ...freeSlot(test) } }),
  },
  'PUT /api/v1/appointments/{id}': {
    statuses: [401, 200, 200, 200, 200, 404],
    attempt: async (scene) => ({
      ids: [await scene.appointment()],
      body: { title: scene.uniqueName('About') },
    }),
  },
  'POST /api/v1/appointments/{id}/confirm': {
    statuses: [401, 200, 200, 200, 200, 404],
    attempt: async (scene) => ({ ids: [await scene.appointment()] }),
  },
  'POST /api/v1/appointments/{id}/cancel': {
    statuses: [401, 200, 200, 200, 200, 404],
    attempt: async (scene) => ({ ids: [await scene.appointment('confirm')] }),
  },
  'POST /api/v1/appointments/{id}/complete': {
    statuses: [401, 200, 200, 200, 200, 404],
    attempt: async (scene) => ({ ids: [await scene.appointment()] }),
  },
  'POST /api/v1/appointments/{id}/no-show': {
    statuses: [401, 200, 200, 200, 200, 404],
    attempt: async (scene) => ({ ids: [await scene.appointment('confirm')] }),
  },

  'GET /api/v1/calls': { statuses: [401, 200, 200, 200, 200, 200] },
  'GET /api/v1/calls/{id}': {
    statuses: [401, 200, 200, 200, 200, 404],
    attempt: async (scene) => ({ ids: [await scene.queuedCall()] }),
  },
  'PUT /api/v1/calls/{id}': {
    // An attendant may change the notes of their own calls alone.
    statuses: [401, 403, 200, 200, 200, 404],
    attempt: async (scene) => ({ ids: [await scene.queuedCall()], body: { priority: 1 } }),
  },
  'GET /api/v1/calls/{id}/timeline': {
    // The attendant had no part in the call.
    statuses: [401, 403, 200, 200, 200, 404],
    attempt: async (scene) => ({ ids: [await scene.queuedCall()] }),
  },
  'GET /api/v1/calls/{id}/routing': {
    statuses: [401, 403, 200, 200, 200, 404],
    attempt: async (scene) => ({ ids: [await scene.queuedCall()] }),
  },
  'POST /api/v1/calls/{id}/assign': {
    statuses: [401, 200, 200, 200, 200, 404],
    attempt: async (scene) => ({ ids: [await scene.queuedCall()] }),
  },
  'POST /api/v1/calls/{id}/start': {
    statuses: [401, 200, 200, 200, 200, 404],
    attempt: async (scene) => ({ ids: [await scene.queuedCall()] }),
  },
  'POST /api/v1/calls/{id}/complete': {
    statuses: [401, 200, 200, 200, 200, 404],
    attempt: async (scene) => ({ ids: [await scene.queuedCall()], body: { notes: 'Done' } }),
  },
  // The call belongs to a colleague, so only supervisors may transfer it.
  'GET /api/v1/calls/{id}/transfer/departments': {
    statuses: [401, 422, 200, 200, 200, 404],
    attempt: async (scene) => ({ ids: [await scene.activeCall()] }),
  },
  'POST /api/v1/calls/{id}/transfer': {
    statuses: [401, 422, 200, 200, 200, 404],
    attempt: async (scene) => ({
      ids: [await scene.activeCall()],
      body: { department_id: (await scene.tenant.department()).id, note: 'Wants an invoice' },
    }),
  },
  'GET /api/v1/calls/{id}/parts': {
    statuses: [401, 200, 200, 200, 200, 404],
    attempt: async (scene) => ({ ids: [await scene.queuedCall()] }),
  },
  'GET /api/v1/calls/{id}/chat': {
    statuses: [401, 200, 200, 200, 200, 404],
    attempt: async (scene) => ({ ids: [await scene.queuedCall()] }),
  },
  'POST /api/v1/calls/{id}/manager-notes': {
    statuses: [401, 403, 200, 200, 200, 404],
    attempt: async (scene) => ({ ids: [await scene.completedCall()], body: { notes: 'Well done' } }),
  },
  'GET /api/v1/calls/{call_id}/tags': {
    statuses: [401, 200, 200, 200, 200, 404],
    attempt: async (scene) => ({ ids: [await scene.queuedCall()] }),
  },
  'POST /api/v1/calls/{call_id}/tags': {
    statuses: [401, 201, 201, 201, 201, 404],
    attempt: async (scene) => ({ ids: [await scene.queuedCall()], body: { tag_id: await scene.tag() } }),
  },
  'DELETE /api/v1/calls/{call_id}/tags/{tag_id}': {
    statuses: [401, 204, 204, 204, 204, 404],
    attempt: async (scene) => ({ ids: await scene.taggedCall() }),
  },
  'POST /api/v1/calls/{call_id}/upload': {
    statuses: [401, 201, 201, 201, 201, 404],
    attempt: async (scene) => ({ ids: [await scene.queuedCall()], parts: FILE_PARTS }),
  },
  'GET /api/v1/calls/{call_id}/files': {
    statuses: [401, 200, 200, 200, 200, 404],
    attempt: async (scene) => ({ ids: (await scene.callFile()).slice(0, 1) }),
  },
  'GET /api/v1/calls/{call_id}/files/{id}': {
    statuses: [401, 200, 200, 200, 200, 404],
    attempt: async (scene) => ({ ids: await scene.callFile() }),
    audited: true,
  },
  'POST /api/v1/calls/{call_id}/recording/upload': {
    statuses: [401, 201, 201, 201, 201, 404],
    attempt: async (scene) => ({ ids: [await scene.queuedCall()], parts: [['file', newRecording()]] }),
  },
  'GET /api/v1/calls/{call_id}/recordings': {
    statuses: [401, 200, 200, 200, 200, 404],
    attempt: async (scene) => ({ ids: [await scene.recordedCall()] }),
  },
  'GET /api/v1/calls/{call_id}/recording': {
    statuses: [401, 200, 200, 200, 200, 404],
    attempt: async (scene) => ({ ids: [await scene.recordedCall()] }),
    audited: true,
  },
  'POST /api/v1/calls/{call_id}/recording/ticket': {
    statuses: [401, 200, 200, 200, 200, 404],
    attempt: async (scene) => ({ ids: [await scene.recordedCall()] }),
  },
  'DELETE /api/v1/calls/{call_id}/recording': {
    statuses: [401, 403, 403, 204, 204, 404],
    attempt: async (scene) => ({ ids: [await scene.recordedCall()] }),
  },
  'GET /api/v1/calls/{call_id}/transcript': {
    audited: true,
    statuses: [401, 200, 200, 200, 200, 404],
    attempt: async (scene) => ({ ids: [await scene.transcribedCall('ready')] }),
  },
  'GET /api/v1/calls/{call_id}/summary': {
    audited: true,
    statuses: [401, 200, 200, 200, 200, 404],
    attempt: async (scene) => ({ ids: [await scene.transcribedCall('ready')] }),
  },
  'POST /api/v1/calls/{call_id}/transcript/retry': {
    statuses: [401, 403, 202, 202, 202, 404],
    attempt: async (scene) => ({ ids: [await scene.transcribedCall('failed')] }),
  },
  'POST /api/v1/calls/{call_id}/recording/tus': {
    statuses: [401, 201, 201, 201, 201, 404],
    attempt: async (scene) => ({
      ids: [await scene.queuedCall()],
      headers: { 'tus-resumable': '1.0.0', 'upload-length': '1000' },
    }),
    unaudited: true,
  },
  'HEAD /api/v1/calls/{call_id}/recording/tus/{upload_id}': {
    statuses: [401, 200, 200, 200, 200, 404],
    attempt: async (scene, caller) => ({
      ids: await ownUpload(scene, caller),
      headers: WHOLE_UPLOAD_HEADERS,
    }),
    unaudited: true,
  },
  'PATCH /api/v1/calls/{call_id}/recording/tus/{upload_id}': {
    statuses: [401, 204, 204, 204, 204, 404],
    attempt: async (scene, caller) => ({
      ids: await ownUpload(scene, caller),
      headers: WHOLE_UPLOAD_HEADERS,
      body: TEXTUAL_RECORDING,
    }),
  },
  'POST /api/v1/calls/{call_id}/recording/tus/{upload_id}': {
    statuses: [401, 204, 204, 204, 204, 404],
    attempt: async (scene, caller) => ({
      ids: await ownUpload(scene, caller),
      headers: { ...WHOLE_UPLOAD_HEADERS, 'x-http-method-override': 'PATCH' },
      body: TEXTUAL_RECORDING,
    }),
  },
  'DELETE /api/v1/calls/{call_id}/recording/tus/{upload_id}': {
    statuses: [401, 204, 204, 204, 204, 404],
    attempt: async (scene, caller) => ({
      ids: await ownUpload(scene, caller),
      headers: WHOLE_UPLOAD_HEADERS,
    }),
    unaudited: true,
  },
};
