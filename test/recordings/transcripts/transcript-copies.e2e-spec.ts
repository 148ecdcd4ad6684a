import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { delayedReply, json } from '../../support/peers/ai-peer';
import { WEBM } from '../../support/contexts/add-recording';
import { DataDir } from '../../support/service/data-dir';
import { AiScene } from '../../support/contexts/transcripts';
import { startTestApp } from '../../support/test-app';
import { until } from '../../support/until';

const dataDir = new DataDir();
const copies = join(dataDir.path, 'tmp', 'transcripts');
let scene: AiScene;

beforeAll(async () => {
  scene = await AiScene.open({ DATA_DIR: dataDir.path });
});

beforeEach(() => scene.peer.clearRequests());

afterAll(async () => {
  await scene.close();
  dataDir.remove();
});

const modeOf = (path: string): number => statSync(path).mode & 0o777;

/** Creates a recording with two attempts in progress, as after a process that was presumed dead but lives. */
async function startTwoAttempts() {
  const provider = delayedReply(json({ text: 'Olá.' }));
  scene.peer.queueTranscriptions(provider.reply, provider.reply);
  const { call_id, recording_id } = await scene.createRecordedCall();
  await until(() => scene.peer.transcriptions.length === 1);
  await scene.transcribeAgain({ call_id, recording_id });
  await until(() => scene.peer.transcriptions.length === 2);
  return { provider, recording_id };
}

it('each attempt has a private copy in DATA_DIR and removes it', async () => {
  const { provider, recording_id } = await startTwoAttempts();
  const folders = readdirSync(copies);
  expect(folders).toHaveLength(2);
  for (const name of folders) {
    const [folder, file] = [join(copies, name), join(copies, name, 'recording')];
    expect([modeOf(copies), modeOf(folder), modeOf(file)]).toEqual([0o700, 0o700, 0o600]);
    expect(statSync(file).size).toBe(WEBM.length);
  }
  provider.release();
  await scene.waitForResult('transcripts', recording_id);
  await until(() => readdirSync(copies).length === 0);
});

it('startup removes the copies of killed processes and keeps those of running ones', async () => {
  const { provider, recording_id } = await startTwoAttempts();
  const running = readdirSync(copies);
  // Copies of a process that has exited, and of an earlier process with our process id.
  for (const name of ['4194304000-17-abcdef', `${process.pid}-17-abcdef`, `${process.pid}-gone-abcdef`]) {
    mkdirSync(join(copies, name));
    writeFileSync(join(copies, name, 'recording'), WEBM);
  }
  mkdirSync(join(copies, 'not-ours'));
  const other = await startTestApp({ env: { DATA_DIR: dataDir.path } });
  try {
    expect(readdirSync(copies).toSorted()).toEqual([...running, 'not-ours'].toSorted());
  } finally {
    await other.close();
  }
  provider.release();
  expect(await scene.waitForResult('transcripts', recording_id)).toMatchObject({ status: 'ready' });
});

it('a transcript is retried while its copy cannot be stored', async () => {
  rmSync(copies, { recursive: true, force: true });
  writeFileSync(copies, 'in the way');
  const { recording_id } = await scene.createRecordedCall();
  await until(async () => (await scene.row('transcripts', recording_id)).failure === 'storage_unavailable');
  rmSync(copies);
  expect(await scene.waitForResult('transcripts', recording_id)).toMatchObject({ status: 'ready' });
});
