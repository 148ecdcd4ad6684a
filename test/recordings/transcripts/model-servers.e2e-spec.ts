import { AiTimeouts } from '../../../src/recordings/transcripts/ai/ai-timeouts';
import { OpenAiClient } from '../../../src/recordings/transcripts/ai/openai-client';
import type { Json } from '../../support/http/api';
import { AiPeer, completion, errorReply, json, type Reply, text } from '../../support/peers/ai-peer';

const FILE = new File(['sound'], 'recording.webm', { type: 'video/webm' });
const signal = new AbortController().signal;

let peer: AiPeer;
let client: OpenAiClient;
let startedAt: number;

beforeEach(async () => {
  peer = await AiPeer.start();
  startedAt = performance.now();
  const settings = { baseUrl: peer.url, transcriptionModel: 'any', summaryModel: 'any' };
  client = new OpenAiClient(settings, new AiTimeouts());
});

afterEach(async () => {
  jest.restoreAllMocks();
  await peer.stop();
});

const transcribe = () => client.transcribe(FILE, signal);
const complete = () => client.complete('Summarise.', 'Olá.', signal);
const formats = () => peer.transcriptions.map(({ body }) => body.response_format);
const roles = () => peer.chats.map(({ body }) => body.messages.map(({ role }: Json) => role).join());

const PORTUGUESE = { text: 'Olá', language: 'portuguese' };

/** Moves the clock of the client to `ms` after the beginning of the test. */
function passTime(ms: number): void {
  jest.spyOn(performance, 'now').mockReturnValue(startedAt + ms);
}

/** Accepts only these response formats, as a model server does. */
const accepting =
  (status: number, replies: Record<string, Json>): Reply =>
  (response, request) => {
    const reply = replies[request.body.response_format];
    return (reply ? json(reply) : errorReply(status, 'unsupported_value'))(response, request);
  };

describe('the format of a transcription', () => {
  it.each([400, 422, 500])('is json where the others are refused with %i', async (status) => {
    peer.transcription = accepting(status, { json: { text: 'Olá', languages: [{ code: 'pt' }] } });
    expect(await transcribe()).toMatchObject({ text: 'Olá', language: 'pt' });
    expect(formats()).toEqual(['verbose_json', 'diarized_json', 'json']);
    await transcribe();
    expect(formats().slice(3)).toEqual(['json']);
  });

  it('is the one with speakers where a model has them', async () => {
    const segments = [
      { speaker: 'A', text: 'Bom dia.' },
      { speaker: 'B', text: 'Olá.' },
    ];
    peer.transcription = accepting(400, { json: { text: 'x' }, diarized_json: { text: 'x', segments } });
    expect((await transcribe()).text).toBe('A: Bom dia.\nB: Olá.');
    expect(peer.transcriptions.at(-1)?.body).toEqual({
      model: 'any',
      response_format: 'diarized_json',
      chunking_strategy: 'auto',
    });
  });

  it('is found out again after an hour', async () => {
    peer.transcription = accepting(400, { json: { text: 'Olá' } });
    await transcribe();
    peer.transcription = accepting(400, { json: { text: 'Olá' }, verbose_json: PORTUGUESE });
    passTime(3_599_000);
    expect(await transcribe()).toMatchObject({ language: 'und' });
    passTime(3_601_000);
    expect(await transcribe()).toMatchObject({ language: 'pt' });
  });

  it('is found out again after five minutes if an error of the server led to it', async () => {
    peer.queueTranscriptions(errorReply(500), errorReply(400), json({ text: 'Olá' }), json({ text: 'Olá' }));
    peer.transcription = accepting(400, { json: { text: 'Olá' }, verbose_json: PORTUGUESE });
    await transcribe();
    passTime(299_000);
    expect(await transcribe()).toMatchObject({ language: 'und' });
    passTime(301_000);
    expect(await transcribe()).toMatchObject({ language: 'pt' });
  });

  it('changes when the server refuses it three times in succession', async () => {
    peer.transcription = accepting(400, { json: { text: 'Olá' } });
    await transcribe();
    peer.transcription = accepting(400, { verbose_json: PORTUGUESE });
    for (let attempt = 0; attempt < 4; attempt++)
      expect(await transcribe()).toMatchObject({ language: 'pt' });
    const both = ['json', 'verbose_json'];
    expect(formats().slice(3)).toEqual([...both, ...both, ...both, 'verbose_json']);
  });

  it('stays for others when the recordings of one company are refused in it', async () => {
    peer.transcription = accepting(400, { json: { text: 'Olá' }, verbose_json: PORTUGUESE });
    await transcribe();
    for (let round = 0; round < 3; round++) {
      peer.queueTranscriptions(errorReply(422));
      await transcribe();
      expect(await transcribe()).toMatchObject({ language: 'pt' });
    }
  });

  it('does not change for a recording that is refused in all formats', async () => {
    await transcribe();
    peer.queueTranscriptions(errorReply(400), errorReply(400), errorReply(400));
    await expect(transcribe()).rejects.toMatchObject({ status: 400 });
    await transcribe();
    expect(formats()).toEqual(['verbose_json', 'verbose_json', 'diarized_json', 'json', 'verbose_json']);
  });

  it('does not change for an error of the server once it is known', async () => {
    await transcribe();
    peer.queueTranscriptions(errorReply(500));
    await expect(transcribe()).rejects.toMatchObject({ status: 500 });
    expect(formats()).toEqual(['verbose_json', 'verbose_json']);
  });

  it.each([
    [500, 400, 400],
    [400, 500, 400],
    [400, 422, 500],
  ])('is unknown after %i, %i, %i: the request may be repeated', async (...statuses) => {
    peer.queueTranscriptions(...statuses.map((status) => errorReply(status)));
    await expect(transcribe()).rejects.toMatchObject({ status: 500 });
    await transcribe();
    expect(formats().at(-1)).toBe('verbose_json');
  });

  it.each([401, 404, 413, 429, 503])('does not change for a status of %i', async (status) => {
    peer.queueTranscriptions(errorReply(status));
    await expect(transcribe()).rejects.toMatchObject({ status });
    expect(formats()).toEqual(['verbose_json']);
  });
});

describe('the body of a response', () => {
  it.each([
    ['text/plain; charset=utf-8', '{"text": "Olá", "language": "portuguese"}', 'pt'],
    ['application/octet-stream', '{"text": "Olá", "language": "Haitian"}', 'ht'],
    ['text/html', '{"text": "Olá", "language": "Mandarin"}', 'zh'],
    ['text/plain', 'Olá\n', 'und'],
  ])('of the type %s is read: %s', async (type, body, language) => {
    peer.queueTranscriptions(text(body, type));
    expect(await transcribe()).toMatchObject({ text: 'Olá', language });
  });

  it.each([
    ['text/html', 'Welcome'],
    ['application/octet-stream', 'Welcome'],
    ['text/plain', '<html>Welcome'],
    ['text/plain', '{"text": "a'],
  ])('of the type %s is no transcript: %s', async (type, body) => {
    peer.queueTranscriptions(text(body, type));
    await expect(transcribe()).rejects.toMatchObject({ code: 'invalid_answer' });
  });

  it('of a summary is read, too', async () => {
    peer.queueSummaries(text('{"choices": [{"message": {"content": "Saudou."}}]}', 'text/plain'));
    expect((await complete()).text).toBe('Saudou.');
  });
});

describe('a summary', () => {
  it.each([
    ['<think>\nThe user wants…\n</think>\n\nSaudou.', 'Saudou.'],
    ['The user wants…</think>Saudou.', 'Saudou.'],
    ['<thinking>One.</thinking> <think>Two.</think> Saudou.', 'Saudou.'],
    ['[THINK]Hm.[/THINK]Saudou.', 'Saudou.'],
    ['Saudou.\n<think>And then', 'Saudou.'],
  ])('has none of the reasoning of %j', async (content, summary) => {
    peer.queueSummaries(completion(content));
    expect((await complete()).text).toBe(summary);
  });

  it('that is only reasoning is none', async () => {
    peer.queueSummaries(completion('<think>The user wants'));
    await expect(complete()).rejects.toMatchObject({ code: 'invalid_answer' });
  });

  it('is joined from its parts', async () => {
    peer.queueSummaries(
      completion([
        { type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] },
        { type: 'reasoning', text: 'Hm.' },
        { type: 'text', text: 'Saudou. ' },
        null,
        { type: 'text', text: 'Despediu-se.' },
      ]),
    );
    expect((await complete()).text).toBe('Saudou. Despediu-se.');
  });

  it.each([400, 422, 500])('has its instructions in the message of the user after a %i', async (status) => {
    peer.summary = (response, request) => {
      const hasSystem = request.body.messages.some(({ role }: Json) => role === 'system');
      return (hasSystem ? errorReply(status) : completion('Saudou.'))(response, request);
    };
    expect((await complete()).text).toBe('Saudou.');
    await complete();
    expect(roles()).toEqual(['system,user', 'user', 'user']);
    expect(peer.chats.at(-1)?.body.messages[0].content).toBe('Summarise.\n\nOlá.');
  });
});
