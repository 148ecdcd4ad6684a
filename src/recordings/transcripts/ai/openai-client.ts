import OpenAI from 'openai';
import type { APIPromise } from 'openai/core/api-promise';
import { toSingleLine } from '../../../platform/text/single-line';
import { AcceptedOption } from './accepted-option';
import type { AiClient, AiResponse, Transcription } from './ai-client';
import { AiError } from './ai-error';
import { aiFetch } from './ai-fetch';
import type { AiTimeouts } from './ai-timeouts';
import { plainText } from './plain-text';
import { parseTranscription } from './transcription-response';

interface Settings {
  baseUrl: string;
  apiKey?: string;
  transcriptionModel?: string;
  summaryModel?: string;
}

const MAX_COMPLETION_CHARACTERS = 20_000;

/**
 * `verbose_json` has the language, times and, of some servers, speakers. Models that know who speaks refuse it for
 * `diarized_json`, for which they need chunks. Others know nothing but the text.
 */
const TRANSCRIPTION_FORMATS = [
  { response_format: 'verbose_json' },
  { response_format: 'diarized_json', chunking_strategy: 'auto' },
  { response_format: 'json' },
] as const;

/** Some models have no system role: they get the instructions in the message of the user. */
const INSTRUCTION_ROLES = ['system', 'user'] as const;

/** Keeps the openai client from reading environment variables that were set for another program. */
const NOT_FROM_THE_ENVIRONMENT = {
  adminAPIKey: null,
  organization: null,
  project: null,
  webhookSecret: null,
  logLevel: 'off',
} as const;

/** Client of any server that implements the OpenAI API. It sends each request once: the caller retries. */
export class OpenAiClient implements AiClient {
  private readonly client: OpenAI;
  private readonly provider: string;
  private readonly formats = new AcceptedOption(TRANSCRIPTION_FORMATS);
  private readonly roles = new AcceptedOption(INSTRUCTION_ROLES);

  constructor(
    private readonly settings: Settings,
    private readonly timeouts: AiTimeouts,
  ) {
    this.provider = new URL(settings.baseUrl).hostname;
    this.client = new OpenAI({
      ...NOT_FROM_THE_ENVIRONMENT,
      baseURL: settings.baseUrl,
      // The client requires a key; many self-hosted servers do not.
      apiKey: settings.apiKey ?? 'none',
      maxRetries: 0,
      fetch: aiFetch,
    });
  }

  async transcribe(file: File, signal: AbortSignal): Promise<Transcription> {
    const model = configured(this.settings.transcriptionModel);
    const response = await withTimeout(this.timeouts.transcriptionTimeoutMs, signal, (options) =>
      this.formats.use((format) =>
        readBody(this.client.audio.transcriptions.create({ file, model, ...format }, options)),
      ),
    );
    return { ...parseTranscription(response), ...this.sourceOf(response, model) };
  }

  async complete(instructions: string, input: string, signal: AbortSignal): Promise<AiResponse> {
    const model = configured(this.settings.summaryModel);
    const response = await withTimeout(this.timeouts.completionTimeoutMs, signal, (options) =>
      this.roles.use((role) => {
        const messages =
          role === 'system'
            ? [
                { role, content: instructions },
                { role: 'user' as const, content: input },
              ]
            : [{ role, content: `${instructions}\n\n${input}` }];
        return readBody(this.client.chat.completions.create({ model, messages }, options));
      }),
    );
    return { text: completionText(response), ...this.sourceOf(response, model) };
  }

  private sourceOf(response: unknown, requestedModel: string): Pick<AiResponse, 'provider' | 'model'> {
    const named = (response as { model?: unknown } | null)?.model;
    const model = typeof named === 'string' ? toSingleLine(named).slice(0, 200).toWellFormed() : '';
    return { provider: this.provider, model: model === '' ? requestedModel : model };
  }
}

function configured(model: string | undefined): string {
  if (model === undefined) throw new AiError('not_configured');
  return model;
}

/** Unlike the client's own timeout, this one includes the body of an error response. */
async function withTimeout<T>(
  ms: number,
  signal: AbortSignal,
  send: (options: { signal: AbortSignal; timeout: number }) => Promise<T>,
): Promise<T> {
  const timeout = AbortSignal.timeout(ms);
  try {
    // The client's own timeout must not fire first.
    return await send({ signal: AbortSignal.any([signal, timeout]), timeout: 2 * ms });
  } catch (error) {
    throw timeout.aborted ? new AiError('timeout') : error;
  }
}

/**
 * The JSON of a response, also of one that the server labels as another media type. A text that is labelled as such is
 * a transcript: some servers know no JSON.
 * @throws AiError `invalid_answer`
 */
async function readBody(request: APIPromise<unknown>): Promise<unknown> {
  const { data, response } = await request.withResponse();
  if (typeof data !== 'string') return data;
  try {
    return JSON.parse(data);
  } catch {
    const isText = /^text\/plain\b/i.test(response.headers.get('content-type') ?? '');
    if (isText && !/^\s*[{<]/.test(data)) return { text: data };
    throw new AiError('invalid_answer');
  }
}

/** @throws AiError `invalid_answer` for a response without text */
function completionText(response: unknown): string {
  const { choices } = (response ?? {}) as { choices?: { message?: { content?: unknown } }[] };
  const content = Array.isArray(choices) ? choices[0]?.message?.content : undefined;
  const text = plainText(withoutReasoning(contentText(content)), MAX_COMPLETION_CHARACTERS);
  if (text === '') throw new AiError('invalid_answer');
  return text;
}

/** A text, or the texts of a list of parts, among which may be others, such as the model's thoughts. */
function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  const parts: { type?: unknown; text?: unknown }[] = Array.isArray(content) ? content : [];
  const texts = parts.filter((part) => ['text', 'output_text'].includes(String(part?.type)));
  return texts.map(({ text }) => (typeof text === 'string' ? text : '')).join('');
}

/**
 * Removes what a model thought before its answer: `<think>…</think>`, or `[THINK]…[/THINK]`. The beginning of it may be missing,
 * because many templates put it into the prompt; the end is missing when the model ran out of tokens.
 */
const withoutReasoning = (text: string): string =>
  text.replace(/^[^]*(<\/think(ing)?>|\[\/THINK\])/i, '').replace(/(<think(ing)?>|\[THINK\])[^]*$/i, '');
