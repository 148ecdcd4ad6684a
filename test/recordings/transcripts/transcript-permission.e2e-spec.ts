import { delayedReply, json, errorReply } from '../../support/peers/ai-peer';
import { addRecording } from '../../support/contexts/add-recording';
import { TestTenant } from '../../support/builders';
import { AiScene } from '../../support/contexts/transcripts';
import { until } from '../../support/until';

let scene: AiScene;

beforeAll(async () => {
  scene = await AiScene.open();
  await scene.learnServer();
});

beforeEach(() => scene.peer.clearRequests());

afterAll(() => scene.close());

/** Statements that revoke and restore a tenant's permission to send recordings to a provider. */
const REVOCATIONS = [
  [
    'a suspension',
    'UPDATE tenants SET suspended_at = now() WHERE id = $1',
    'UPDATE tenants SET suspended_at = NULL WHERE id = $1',
  ],
  [
    'the end of the plan',
    `UPDATE subscriptions SET status = 'cancelled' WHERE tenant_id = $1`,
    `UPDATE subscriptions SET status = 'active' WHERE tenant_id = $1`,
  ],
] as const;

const execute = (statement: string) => scene.test.db.query(statement, [scene.tenant.id]);

describe.each(REVOCATIONS)('after %s', (_what, revoke, restore) => {
  afterEach(() => execute(restore));

  it('a recording is not sent again until staff retry it', async () => {
    const provider = delayedReply(errorReply(500));
    scene.peer.queueTranscriptions(provider.reply);
    const { call_id, recording_id } = await scene.createRecordedCall();
    await until(() => scene.peer.transcriptions.length === 1);
    await execute(revoke);
    provider.release();
    const row = await scene.waitForResult('transcripts', recording_id);
    expect(row).toMatchObject({ status: 'failed', attempts: 2, failure: 'not_allowed' });
    expect(scene.peer.transcriptions).toHaveLength(1);
    expect(await scene.events(recording_id)).toEqual(['transcript.failed']);

    await execute(restore);
    expect((await scene.transcript(call_id)).body.errors.code).toBe('failed');
    expect((await scene.retry(call_id)).status).toBe(202);
    expect(await scene.waitForResult('transcripts', recording_id)).toMatchObject({ status: 'ready' });
    await scene.waitForResult('summaries', recording_id);
  });

  it('a transcript is not sent again', async () => {
    const provider = delayedReply(errorReply(500));
    scene.peer.queueSummaries(provider.reply);
    const { recording_id } = await scene.createRecordedCall();
    await until(() => scene.peer.chats.length === 1);
    await execute(revoke);
    provider.release();
    const row = await scene.waitForResult('summaries', recording_id);
    expect(row).toMatchObject({ status: 'failed', attempts: 2, failure: 'not_allowed', summary: null });
    expect(scene.peer.chats).toHaveLength(1);
  });

  it('no transcript is requested for a new recording', async () => {
    const call_id = await scene.createCall();
    await execute(revoke);
    const recording_id = await addRecording(scene.test, scene.tenant, call_id);
    expect(await scene.row('transcripts', recording_id)).toBeUndefined();
  });
});

it('a transcript that the plan excluded can be requested once after an upgrade', async () => {
  const tenant = await TestTenant.register(scene.test, 'basic');
  const { link } = await tenant.queue();
  const { call_id } = await tenant.join(link);
  const recording_id = await addRecording(scene.test, tenant, call_id);
  const retry = () => tenant.owner.api.post(`/api/v1/calls/${call_id}/transcript/retry`);
  expect((await retry()).status).toBe(403);
  await scene.test.db.query(`UPDATE subscriptions SET plan = 'advanced' WHERE tenant_id = $1`, [tenant.id]);

  const provider = delayedReply(json({ text: 'Olá' }));
  scene.peer.queueTranscriptions(provider.reply);
  const answers = await Promise.all(Array.from({ length: 5 }, retry));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([202, 422, 422, 422, 422]);
  expect(answers.find(({ status }) => status === 202)?.body.data).toEqual({
    call_id,
    recording_id,
    status: 'pending',
  });
  provider.release();
  await scene.waitForResult('transcripts', recording_id);
  await scene.waitForResult('summaries', recording_id);
  expect(await scene.events(recording_id)).toEqual([
    'transcript.retried',
    'transcript.ready',
    'summary.ready',
  ]);
  const again = await retry();
  expect([again.status, again.body.errors.code]).toEqual([422, 'not_failed']);
});
