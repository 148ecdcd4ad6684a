import { expectStatus, type Member, someId, TestTenant } from '../support/builders';
import { openFor } from '../support/contexts/opening-hours';
import { overflowingQueue, setDepartment, untilOverflowed } from '../support/contexts/overflow';
import { activeCall, requestTransfer } from '../support/contexts/transfers';
import type { Answer, Json } from '../support/http/api';
import { sharedTestApp } from '../support/shared-app';
import type { TestApp } from '../support/test-app';

let test: TestApp;
let tenant: TestTenant;
let agent: Member;
let link: Json;
let callId: string;

beforeAll(async () => {
  test = await sharedTestApp();
});
beforeEach(async () => {
  tenant = await TestTenant.register(test);
  const { department, link: joined } = await tenant.queue({ name: 'Own' });
  link = joined;
  agent = await tenant.member('attendant', [department.id]);
  callId = (await activeCall(tenant, link, agent)).call_id;
});
afterAll(() => test.close());

const list = ({ api }: Member, id = callId): Promise<Answer> =>
  api.get(`/api/v1/calls/${id}/transfer/departments`);

it('names the other active departments, also those that the agent does not belong to', async () => {
  const [busy, quiet] = [await tenant.queue({ name: 'Sales' }), await tenant.queue({ name: 'Billing' })];
  const { department: old } = await tenant.queue({ name: 'Old' });
  await setDepartment(tenant, old, { active: false });
  for (let joined = 0; joined < 2; joined++) await tenant.join(busy.link);
  const { body } = await list(agent);
  expect(body.data).toEqual([
    {
      department_id: quiet.department.id,
      department_name: 'Billing',
      queue_size: 0,
      full: false,
      open: true,
      opens_at: null,
    },
    expect.objectContaining({ department_id: busy.department.id, queue_size: 2 }),
  ]);
  const { body: others } = await list(await tenant.member('supervisor'));
  expect(others).toEqual(body);
});

it('says which departments would refuse the call', async () => {
  const full = await tenant.queue({ name: 'Full', max_queue_size: 1 });
  await tenant.join(full.link);
  const closed = await tenant.queue({ name: 'Closed', opening_hours: openFor(test, 60, 120) });
  const { body } = await list(agent);
  const [first, second] = body.data;
  expect(first).toMatchObject({ department_id: closed.department.id, open: false, full: false });
  expect(Date.parse(first.opens_at)).toBeGreaterThan(test.clock.now().getTime());
  expect(second).toMatchObject({ department_id: full.department.id, open: true, full: true, queue_size: 1 });
  const refusals = await Promise.all(
    [first, second].map(({ department_id }) => requestTransfer(agent, callId, { department_id })),
  );
  expect(refusals.map(({ body: { errors } }) => errors.code)).toEqual(['department_closed', 'queue_full']);
});

it('counts the calls that overflowed to a department, which do not fill its queue', async () => {
  const { link: helped } = await overflowingQueue(
    tenant,
    { name: 'Helped' },
    { name: 'Helper', max_queue_size: 1 },
  );
  const { call_id } = await tenant.join(helped);
  await untilOverflowed(test, call_id);
  const { body } = await list(agent);
  expect(body.data).toMatchObject([
    { department_name: 'Helped', queue_size: 1 },
    { department_name: 'Helper', queue_size: 1, full: false },
  ]);
});

describe('is refused', () => {
  it('to an attendant who does not have the call, although they may see it', async () => {
    const answer = await list(await tenant.member());
    expect([answer.status, answer.body.errors.code]).toEqual([422, 'invalid_transition']);
  });

  it('before the call is active, and after its end', async () => {
    const { call_id } = await tenant.join(link);
    expectStatus(await agent.api.post(`/api/v1/calls/${callId}/complete`), 200);
    expectStatus(await agent.api.post(`/api/v1/calls/${call_id}/assign`), 200);
    for (const id of [call_id, callId]) expectStatus(await list(agent, id), 422);
  });

  it('for a call that is unknown, or of another company, whose departments are not named either', async () => {
    const other = await TestTenant.register(test);
    const theirs = await other.queue({ name: 'Theirs' });
    expectStatus(await list(agent, someId()), 404);
    expectStatus(await list(other.owner), 404);
    const { body } = await list(agent);
    expect(JSON.stringify(body)).not.toContain(theirs.department.id);
  });
});
