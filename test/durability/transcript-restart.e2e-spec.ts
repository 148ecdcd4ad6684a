import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { AiPeer, delayedReply, json, errorReply } from '../support/peers/ai-peer';
import type { Api } from '../support/http/api';
import { ensureBuilt } from '../support/service/built-service';
import { DataDir } from '../support/service/data-dir';
import { readFixture } from '../support/contexts/recordings';
import { ServiceProcess, stopServices } from '../support/service/service-process';
import { until } from '../support/until';

/** Covers the time until a process is presumed dead, the check that detects it, and the next attempt. */
const RECOVERY_TIMEOUT_MS = 40_000;

const KEY = 'sk-secret-of-the-operator';
const dataDir = new DataDir();
const copies = join(dataDir.path, 'tmp', 'transcripts');
let peer: AiPeer;

beforeAll(async () => {
  await ensureBuilt();
  peer = await AiPeer.start();
}, 120_000);

afterAll(async () => {
  await stopServices();
  await peer.stop();
  dataDir.remove();
});

const start = (): Promise<ServiceProcess> =>
  ServiceProcess.start({
    DATA_DIR: dataDir.path,
    AI_BASE_URL: peer.url,
    AI_API_KEY: KEY,
    AI_TRANSCRIPTION_MODEL: 'whisper-1',
  });

async function login({ api }: ServiceProcess): Promise<Api> {
  const account = { tenant: 'demo', email: 'supervisor@demo.example', password: 'demo-call-queue' };
  return api.as((await api.post('/api/auth/login', account)).body.access_token);
}

/** Creates a call of the demo tenant with a recording. @returns its id */
async function record(service: ServiceProcess, staff: Api): Promise<string> {
  const link = /\/c\/(\S+)/.exec(service.output)?.[1] ?? '';
  const { call_id } = (await service.api.post(`/api/v1/call/${link}/join`, { name: 'Wanda' })).body.data;
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(readFixture('call.webm'))]), 'call.webm');
  const { status } = await staff.post(`/api/v1/calls/${call_id}/recording/upload`, form);
  expect(status).toBe(201);
  return call_id;
}

const transcript = async (staff: Api, callId: string): Promise<string | undefined> =>
  (await staff.get(`/api/v1/calls/${callId}/transcript`)).body.data?.transcript;

it('the next process completes a transcript and removes its files after a process was killed', async () => {
  const provider = delayedReply(json({ text: 'too late' }));
  peer.queueTranscriptions(provider.reply, json({ text: 'Olá.' }));
  const first = await start();
  const call = await record(first, await login(first));
  await until(() => peer.transcriptions.length === 1);
  expect(readdirSync(copies)).toHaveLength(1);
  await first.kill();
  provider.release();

  const second = await start();
  const staff = await login(second);
  const text = await until(
    () => transcript(staff, call),
    () => `no transcript; the log says ${second.output}`,
    RECOVERY_TIMEOUT_MS,
  );
  expect(text).toBe('Olá.');
  expect(peer.transcriptions).toHaveLength(2);
  await until(() => readdirSync(copies).length === 0);
  await second.stop();
}, 90_000);

it('a stop does not wait for the provider, and the next process retries', async () => {
  const provider = delayedReply(json({ text: 'too late' }));
  peer.queueTranscriptions(provider.reply, json({ text: 'Tudo bem?' }));
  peer.clearRequests();
  const first = await start();
  const call = await record(first, await login(first));
  await until(() => peer.transcriptions.length === 1);
  expect(await first.stop()).toEqual({ code: 0, signal: null });
  await until(() => peer.transcriptions[0]?.isAborted);

  const second = await start();
  const staff = await login(second);
  await until(
    () => transcript(staff, call),
    () => second.output,
    RECOVERY_TIMEOUT_MS,
  );
  await second.stop();
}, 90_000);

it('the log names the reason for a failed transcript, but neither the key nor the text', async () => {
  const errorBody = {
    error: { message: `The key ${KEY} may not hear "my card was blocked".`, code: 'no_credit' },
  };
  // One for each format of the transcription.
  const refusals = Array.from({ length: 3 }, () => errorReply(400, 'my card was blocked'));
  peer.queueTranscriptions(json(errorBody, 429), ...refusals);
  const service = await start();
  const staff = await login(service);
  const call = await record(service, staff);
  await until(async () => {
    const { body } = await staff.get(`/api/v1/calls/${call}/transcript`);
    return body.errors.code === 'failed';
  });
  await service.stop();
  expect(service.output).toMatch(/http_429 \(RateLimitError, no_credit\), attempt 1 of 10, retry in 1 s/);
  expect(service.output).toMatch(/http_400 \(BadRequestError\), attempt 2 of 10, no retry/);
  for (const secret of [KEY, 'my card was blocked']) expect(service.output).not.toContain(secret);
}, 60_000);
