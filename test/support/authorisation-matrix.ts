import type { Attempt } from './attempt';
import { PUBLIC_ROUTES } from './authorisation-matrix.public';
import { type Caller, type Scene } from './authorisation-scene';
import { type Member, PASSWORD } from './builders';
import { enrol, enrolledMember } from './mfa';

/** Of no token, attendant, supervisor, manager, owner, and the owner of another tenant. */
export type Statuses = readonly [number, number, number, number, number, number];

export interface Row {
  statuses: Statuses;
  /** Made anew for each caller, of things that a request may use up. */
  attempt?: (scene: Scene, caller: Caller) => Attempt | Promise<Attempt>;
  /** A write of staff that leaves no trace in the audit log, since nothing counts yet. */
  unaudited?: true;
}

/** Only an insider has sessions of the tenant; whoever else asks names the owner's. */
const insider = (caller: Caller): Caller => (caller === 'nobody' || caller === 'stranger' ? 'owner' : caller);

/** Who may do what: roles and statuses as they were agreed, never as the code has them. */
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
  'GET /api/v1/users/me/sessions': { statuses: [401, 200, 200, 200, 200, 200] },
  'DELETE /api/v1/users/me/sessions/{id}': {
    statuses: [401, 204, 204, 204, 204, 404],
    attempt: async (scene, caller) => {
      const whose = scene.member(insider(caller)) as Member;
      return { ids: [(await scene.session(whose)).id] };
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
      return { as, body: as ? await scene.proposed(as) : { code: '123456' } };
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
    attempt: (scene) => ({ ids: [scene.user.id], body: { name: scene.named('Renamed') } }),
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
  'GET /api/v1/audit-log': { statuses: [401, 403, 403, 200, 200, 200] },

  'GET /api/v1/departments': { statuses: [401, 403, 200, 200, 200, 200] },
  'POST /api/v1/departments': {
    statuses: [401, 403, 201, 201, 201, 201],
    attempt: (scene) => ({ body: { department: { name: scene.named('Department') } } }),
  },
  'GET /api/v1/departments/{id}': {
    statuses: [401, 403, 200, 200, 200, 404],
    attempt: ({ department }) => ({ ids: [department.id] }),
  },
  'PUT /api/v1/departments/{id}': {
    statuses: [401, 403, 200, 200, 200, 404],
    attempt: (scene) => ({
      ids: [scene.department.id],
      body: { department: { description: scene.named('For') } },
    }),
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

  'GET /api/v1/access-links': { statuses: [401, 200, 200, 200, 200, 200] },
  'GET /api/v1/access-links/{id}': {
    statuses: [401, 200, 200, 200, 200, 404],
    attempt: ({ link }) => ({ ids: [link.id] }),
  },
  // The stranger's department is unknown, and an unknown id in a body is 422.
  'POST /api/v1/access-links': {
    statuses: [401, 201, 201, 201, 201, 422],
    attempt: ({ department }) => ({ body: { department_id: department.id } }),
  },

  'GET /api/v1/calls': { statuses: [401, 200, 200, 200, 200, 200] },
  'GET /api/v1/calls/{id}': {
    statuses: [401, 200, 200, 200, 200, 404],
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
};
