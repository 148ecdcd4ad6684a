import { expectStatus, type Member, TestTenant } from '../builders';
import type { Json } from '../http/api';
import { sharedTestApp } from '../shared-app';
import { closingSockets } from '../sockets/connect-sockets';
import type { TestApp } from '../test-app';

/** A company with one line and the agents Ana and Bob, on the shared application. */
export interface Conversations {
  test: TestApp;
  tenant: TestTenant;
  department: Json;
  link: Json;
  ana: Member;
  bob: Member;
}

/** Prepares conversations for the tests of a spec file. Its sockets are closed after each test. */
export function conversations() {
  const scene = {} as Conversations;
  const { connect } = closingSockets(() => scene.test.url);

  beforeAll(async () => {
    const test = await sharedTestApp();
    const tenant = await TestTenant.register(test);
    const { department, link } = await tenant.queue({ max_queue_size: 500 });
    const ana = await tenant.member('attendant', [department.id]);
    const bob = await tenant.member('attendant', [department.id]);
    Object.assign(scene, { test, tenant, department, link, ana, bob });
  });

  afterAll(() => scene.test.close());

  /** An active call of Ana with a socket of each side. */
  async function activeCall() {
    const { call_id, websocket_token } = await scene.tenant.join(scene.link as { token: string });
    expectStatus(await scene.ana.api.post(`/api/v1/calls/${call_id}/start`), 200);
    const [customer, agent] = [await connect(websocket_token), await connect(scene.ana.token)];
    const joined = await agent.send('join_call', { call_id });
    expect(joined).toMatchObject({ ok: true });
    return { call_id, websocket_token, customer, agent, joined };
  }

  return { scene, connect, activeCall };
}
