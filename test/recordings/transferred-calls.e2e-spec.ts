import { expectStatus, type Member, TestTenant } from '../support/builders';
import { addRecording } from '../support/contexts/add-recording';
import { departmentEnded } from '../support/contexts/departments';
import { createRecording, recordingRows, uploadRecording } from '../support/contexts/recordings';
import { beginUpload, recordingOf, TusClient } from '../support/contexts/tus';
import { activeCall, transfer } from '../support/contexts/transfers';
import { expectFailure } from '../support/database/failures';
import type { Json } from '../support/http/api';
import { StorageFolder } from '../support/service/storage-folder';
import { startTestApp, type TestApp } from '../support/test-app';

let test: TestApp;
let tenant: TestTenant;
let agent: Member;
let successor: Member;
let link: Json;
let department: Json;
let target: Json;
const storage = new StorageFolder();

beforeAll(async () => {
  test = await startTestApp({ env: storage.env });
  tenant = await TestTenant.register(test);
  [agent, successor] = [await tenant.member(), await tenant.member()];
});

beforeEach(async () => {
  ({ department, link } = await tenant.queue());
  target = await tenant.department();
});

afterAll(async () => {
  await test.close();
  storage.remove();
});

/** A call that the successor has started in the other department. */
async function transferredCall(): Promise<string> {
  const { call_id } = await activeCall(tenant, link, agent);
  await transfer(agent, call_id, { department_id: target.id });
  expectStatus(await successor.api.post(`/api/v1/calls/${call_id}/start`), 200);
  return call_id;
}

const departmentsOf = async (callId: string): Promise<string[]> =>
  (await recordingRows(test, callId)).map(({ department_id }) => department_id);

describe('a recording of a transferred call', () => {
  it('stays in the department that it was made in', async () => {
    const { call_id } = await activeCall(tenant, link, agent);
    await createRecording(test, call_id, agent);
    await transfer(agent, call_id, { department_id: target.id });
    expect(await departmentsOf(call_id)).toEqual([department.id]);
  });

  it("is in the department of the uploader's part, even if it is uploaded after the transfer", async () => {
    const call_id = await transferredCall();
    await createRecording(test, call_id, agent);
    await createRecording(test, call_id, successor);
    expect(await departmentsOf(call_id)).toEqual([department.id, target.id]);
  });

  it("is in the department of the uploader's last part", async () => {
    const call_id = await transferredCall();
    await transfer(successor, call_id, { department_id: department.id });
    expectStatus(await agent.api.post(`/api/v1/calls/${call_id}/start`), 200);
    await transfer(agent, call_id, { department_id: target.id });
    expectStatus(await agent.api.post(`/api/v1/calls/${call_id}/start`), 200);
    await createRecording(test, call_id, agent);
    expect(await departmentsOf(call_id)).toEqual([target.id]);
  });

  it('is in the department of the call if its uploader has had no part in it', async () => {
    const call_id = await transferredCall();
    await createRecording(test, call_id, tenant.owner);
    await addRecording(test, tenant, call_id);
    expect(await departmentsOf(call_id)).toEqual([target.id, target.id]);
  });

  it('keeps the department from being deleted; a later one is refused', async () => {
    const call_id = await transferredCall();
    const remove = ({ id }: Json) => tenant.owner.api.delete(`/api/v1/departments/${id}`);
    const [{ id: recording }] = [await createRecording(test, call_id, agent)];
    expectStatus(await remove(department), 422);
    const path = `/api/v1/calls/${call_id}/recording?recording_id=${recording}`;
    expectStatus(await tenant.owner.api.delete(path), 204);
    expectStatus(await remove(department), 204);
    expectFailure(await uploadRecording(test, call_id, agent), 422, { code: 'department_deleted' });
    expect(await departmentsOf(call_id)).toEqual([]);
    // Others upload to the department that has the call now.
    await createRecording(test, call_id, tenant.owner);
    expect(await departmentsOf(call_id)).toEqual([target.id]);
  });

  it('is refused by the same rule when a resumable upload begins', async () => {
    const call_id = await transferredCall();
    expectStatus(await tenant.owner.api.delete(`/api/v1/departments/${department.id}`), 204);
    const headers = { 'tus-resumable': '1.0.0', 'upload-length': '64' };
    const refused = await agent.api.post(`/api/v1/calls/${call_id}/recording/tus`, undefined, { headers });
    expectFailure(refused, 422, { code: 'department_deleted' });
    await beginUpload(successor.api, call_id);
  });

  it('is taken from resumable uploads after the deletion of only another department of the call', async () => {
    const call_id = await transferredCall();
    expectStatus(await successor.api.post(`/api/v1/calls/${call_id}/complete`), 200);
    const [peer, other] = [agent, successor].map(({ token }) => new TusClient(test.url, token)) as [
      TusClient,
      TusClient,
    ];
    const [before, ended] = [await peer.begin(call_id, 1000), await other.begin(call_id, 1000)];
    expectStatus(await tenant.owner.api.delete(`/api/v1/departments/${target.id}`), 204);
    await departmentEnded(test, target.id);
    const after = await peer.begin(call_id, 2000);
    expect((await peer.patch(before, 0, recordingOf(1000))).status).toBe(204);
    expect((await peer.patch(after, 0, recordingOf(2000))).status).toBe(204);
    expect(await other.offset(ended)).toBe(-1);
    expect(await departmentsOf(call_id)).toEqual([department.id, department.id]);
  });
});
