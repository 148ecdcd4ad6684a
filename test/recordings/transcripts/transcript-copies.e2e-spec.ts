import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { held, json } from '../../support/peers/ai-peer';
import { WEBM } from '../../support/contexts/added-recording';
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

beforeEach(() => scene.peer.forget());

afterAll(async () => {
  await scene.close();
  dataDir.remove();
});

const modeOf = (path: string): number => statSync(path).mode & 0o777;

/** A recording of which two tries are under way: a process was held for dead and was not. */
async function triedTwice() {
  const provider = held(json({ text: 'Olá.' }));
  scene.peer.transcribe(provider.reply, provider.reply);
  const { call_id, recording_id } = await scene.recorded();
  await until(() => scene.peer.transcriptions.length === 1);
  await scene.transcribeAgain({ call_id, recording_id });
  await until(() => scene.peer.transcriptions.length === 2);
  return { provider, recording_id };
}

it('each try has a copy of its own, in DATA_DIR, for nobody else, and leaves none', async () => {
  const { provider, recording_id } = await triedTwice();
  const folders = readdirSync(copies);
  expect(folders).toHaveLength(2);
  for (const name of folders) {
    const [folder, file] = [join(copies, name), join(copies, name, 'recording')];
    expect([modeOf(copies), modeOf(folder), modeOf(file)]).toEqual([0o700, 0o700, 0o600]);
    expect(statSync(file).size).toBe(WEBM.length);
  }
  provider.release();
  await scene.settled('transcripts', recording_id);
  await until(() => readdirSync(copies).length === 0);
});

it('a start removes what killed processes left, and nothing of those that run', async () => {
  const { provider, recording_id } = await triedTwice();
  const running = readdirSync(copies);
  // Of a process that is gone, and of an earlier one that had our number.
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
  expect(await scene.settled('transcripts', recording_id)).toMatchObject({ status: 'ready' });
});

it('a transcript waits where there is no room for a copy', async () => {
  rmSync(copies, { recursive: true, force: true });
  writeFileSync(copies, 'in the way');
  const { recording_id } = await scene.recorded();
  await until(async () => (await scene.row('transcripts', recording_id)).failure === 'storage_unavailable');
  rmSync(copies);
  expect(await scene.settled('transcripts', recording_id)).toMatchObject({ status: 'ready' });
});
