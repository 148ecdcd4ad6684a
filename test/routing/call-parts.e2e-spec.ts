import type { Json } from '../support/http/api';
import { type Member, expectStatus, TestTenant } from '../support/builders';
import { changeCall, partsOf, secondsAfter } from '../support/contexts/line';
import { callRow } from '../support/database/rows';
import { sharedTestApp } from '../support/shared-app';
import { closingSockets } from '../support/sockets/connect-sockets';
import type { TestApp } from '../support/test-app';

let test: TestApp;
let tenant: TestTenant;
let agent: Member;
let colleague: Member;
let department: Json;
let link: Json;
const { connect } = closingSockets(() => test.url);

beforeAll(async () => {
  test = await sharedTestApp();
  tenant = await TestTenant.register(test);
  agent = await tenant.member();
  colleague = await tenant.member();
  ({ department, link } = await tenant.queue());
});

afterAll(() => test.close());

const act = async (id: string, action: string, member = agent) =>
  expectStatus(await member.api.post(`/api/v1/calls/${id}/${action}`), 200);

describe('the parts of a call', () => {
  it('begin with its start and end with it', async () => {
    const { call_id } = await tenant.join(link);
    await act(call_id, 'assign');
    expect(await partsOf(test, call_id)).toEqual([]);
    await act(call_id, 'start');
    const { started_at } = await callRow(test, call_id);
    const open = {
      tenant_id: tenant.id,
      department_id: department.id,
      user_id: agent.id,
      user_name: agent.name,
      started_at,
      wrap_up_time: null,
    };
    expect(await partsOf(test, call_id)).toEqual([
      expect.objectContaining({ ...open, ended_at: null, ended_by: null }),
    ]);
    await act(call_id, 'complete');
    const { completed_at } = await callRow(test, call_id);
    expect(await partsOf(test, call_id)).toEqual([
      expect.objectContaining({ ...open, ended_at: completed_at, ended_by: 'completed' }),
    ]);
  });

  it('are completed when the customer hangs up', async () => {
    const { call_id, websocket_token } = await tenant.join(link);
    const customer = await connect(websocket_token);
    await act(call_id, 'start');
    await customer.send('end_call');
    expect(await partsOf(test, call_id)).toEqual([expect.objectContaining({ ended_by: 'completed' })]);
  });

  it('end with the loss of a participant', async () => {
    const { call_id } = await tenant.join(link);
    await act(call_id, 'start');
    const ended_at = secondsAfter(test.clock.now(), 5);
    await changeCall(test, call_id, {
      status: 'completed',
      end_reason: 'disconnect',
      ended_at,
      updated_at: ended_at,
    });
    expect(await partsOf(test, call_id)).toEqual([
      expect.objectContaining({ ended_by: 'disconnect', ended_at }),
    ]);
  });

  it('follow a transfer to a department and the next agent', async () => {
    const { call_id } = await tenant.join(link);
    await act(call_id, 'start');
    const target = await tenant.department();
    await changeCall(test, call_id, { status: 'queued', user_id: null, department_id: target.id });
    await act(call_id, 'start', colleague);
    expect(await partsOf(test, call_id)).toEqual([
      expect.objectContaining({ user_id: agent.id, department_id: department.id, ended_by: 'transferred' }),
      expect.objectContaining({ user_id: colleague.id, department_id: target.id, ended_by: null }),
    ]);
  });

  it('follow a transfer to an agent, and end no earlier than they began', async () => {
    const { call_id } = await tenant.join(link);
    await act(call_id, 'start');
    const { started_at } = await callRow(test, call_id);
    const updated_at = secondsAfter(started_at, -1);
    await changeCall(test, call_id, { user_id: colleague.id, user_name: 'New', updated_at });
    const parts = await partsOf(test, call_id);
    expect(parts).toHaveLength(2);
    expect(parts).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ user_id: agent.id, ended_at: started_at, ended_by: 'transferred' }),
        expect.objectContaining({ user_id: colleague.id, user_name: 'New', ended_at: null }),
      ]),
    );
  });

  it('do not include agents who never started the call', async () => {
    const { call_id } = await tenant.join(link);
    await act(call_id, 'assign');
    const handover = await tenant.owner.api.post(`/api/v1/calls/${call_id}/assign`, {
      user_id: colleague.id,
    });
    expectStatus(handover, 200);
    await act(call_id, 'complete', colleague);
    expect(await partsOf(test, call_id)).toEqual([]);
  });
});
