import { cnpj } from 'cpf-cnpj-validator';
import type { Row } from './matrix';
import { PASSWORD, someId } from '../builders';
import { passwordToken } from '../contexts/password-token';
import { GATEWAY_TOKEN } from './route-walk';

/** Routes without authentication. They ignore an access token. */
export const PUBLIC_ROUTES: Record<string, Row> = {
  'GET /docs/asyncapi.yaml': { statuses: [200, 200, 200, 200, 200, 200] },
  'GET /healthz': { statuses: [200, 200, 200, 200, 200, 200] },
  'GET /readyz': { statuses: [200, 200, 200, 200, 200, 200] },

  'POST /api/auth/login': {
    statuses: [200, 200, 200, 200, 200, 200],
    attempt: ({ tenant, user }) => ({
      body: { tenant: tenant.slug, email: user.email, password: PASSWORD },
    }),
  },
  'POST /api/auth/mfa/verify': {
    statuses: [200, 200, 200, 200, 200, 200],
    attempt: async (scene) => ({ body: await scene.challenge() }),
  },
  'POST /api/auth/refresh': {
    statuses: [200, 200, 200, 200, 200, 200],
    attempt: async (scene) => {
      const { refresh_token } = (await scene.session(scene.tenant.owner)).member;
      return { body: { refresh_token } };
    },
  },
  'POST /api/auth/forgot-password': {
    statuses: [200, 200, 200, 200, 200, 200],
    attempt: ({ tenant, user }) => ({ body: { tenant: tenant.slug, email: user.email } }),
  },
  'POST /api/auth/reset-password': {
    statuses: [200, 200, 200, 200, 200, 200],
    attempt: async ({ test, tenant }) => ({
      body: { token: await passwordToken(test, tenant, await tenant.member()), password: PASSWORD },
    }),
  },

  'POST /api/signup/validate-document': {
    statuses: [200, 200, 200, 200, 200, 200],
    attempt: () => ({ body: { document: cnpj.generate(), document_type: 'cnpj' } }),
  },
  'POST /api/signup/register': {
    statuses: [201, 201, 201, 201, 201, 201],
    attempt: (scene) => ({
      body: {
        company_name: 'Newcomers',
        document: cnpj.generate(),
        document_type: 'cnpj',
        admin_name: 'Nina Nova',
        admin_email: `nina${scene.next()}@example.com`,
        admin_password: PASSWORD,
        plan: 'free',
      },
    }),
  },
  // The tenant does not exist, because a payment would change the plan of the scene's tenant.
  'POST /api/webhooks/{gateway}': {
    statuses: [200, 200, 200, 200, 200, 200],
    attempt: (scene) => ({
      ids: ['asaas'],
      headers: { 'asaas-access-token': GATEWAY_TOKEN },
      body: {
        id: `evt_${scene.next()}`,
        event: 'PAYMENT_CREATED',
        dateCreated: '2026-01-31 12:00:00',
        payment: { id: 'pay_1', externalReference: someId(), value: 99 },
      },
    }),
  },

  'GET /api/v1/logos/{tenant_id}/{file}': {
    statuses: [200, 200, 200, 200, 200, 200],
    attempt: async (scene) => ({ ids: (await scene.logo()).split('/').slice(-2) }),
  },

  'GET /api/v1/avatars/{tenant_id}/{user_id}/{file}': {
    statuses: [200, 200, 200, 200, 200, 200],
    attempt: async (scene) => ({ ids: (await scene.avatar()).split('/').slice(-3) }),
  },

  'GET /api/v1/recordings/play': {
    statuses: [200, 200, 200, 200, 200, 200],
    attempt: async (scene) => ({ query: await scene.ticket() }),
  },

  'GET /api/v1/call/turn-credentials': { statuses: [200, 200, 200, 200, 200, 200] },
  'GET /api/v1/call/{token}/validate': {
    statuses: [200, 200, 200, 200, 200, 200],
    attempt: ({ link }) => ({ ids: [link.token] }),
  },
  'POST /api/v1/call/{token}/join': {
    statuses: [200, 200, 200, 200, 200, 200],
    attempt: ({ link }) => ({ ids: [link.token], body: { name: 'Carla Customer' } }),
  },
  'POST /api/v1/call/resume': {
    statuses: [200, 200, 200, 200, 200, 200],
    attempt: async (scene) => {
      const { websocket_token } = await scene.entry();
      return { body: { websocket_token } };
    },
  },
  'GET /api/v1/call/status/{call_id}': {
    statuses: [200, 200, 200, 200, 200, 200],
    attempt: async (scene) => ({ ids: [await scene.queuedCall()] }),
  },
  // The token is the customer's own instead of an access token.
  'POST /api/v1/call/cancel/{call_id}': {
    statuses: [200, 200, 200, 200, 200, 200],
    attempt: async (scene) => {
      const { call_id, websocket_token } = await scene.entry();
      return { ids: [call_id], token: websocket_token };
    },
  },
  // As above. Nobody is invited meanwhile.
  'POST /api/v1/call/callback/{call_id}': {
    statuses: [200, 200, 200, 200, 200, 200],
    attempt: async (scene) => {
      const { call_id, websocket_token } = await scene.distantEntry();
      const body = { channel: 'email', email: `carla.${call_id}@example.com` };
      return { ids: [call_id], token: websocket_token, body };
    },
  },
  'DELETE /api/v1/call/callback/{call_id}': {
    statuses: [204, 204, 204, 204, 204, 204],
    attempt: async (scene) => {
      const { call_id, websocket_token } = await scene.distantEntry();
      return { ids: [call_id], token: websocket_token };
    },
  },
  // As above. The call is assigned.
  'POST /api/v1/call/files/{call_id}': {
    statuses: [201, 201, 201, 201, 201, 201],
    attempt: async (scene) => {
      const { call_id, websocket_token } = await scene.assignedEntry();
      return { ids: [call_id], token: websocket_token, parts: await scene.picture() };
    },
  },
  'POST /api/v1/call/evaluate/{call_id}': {
    statuses: [200, 200, 200, 200, 200, 200],
    attempt: async (scene) => ({ ids: [await scene.completedCall()], body: { rating: 5 } }),
  },
};
