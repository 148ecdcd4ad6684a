import OpenAI from 'openai';
import { toSingleLine } from '../../../platform/text/single-line';
import type { AiClient, AiResponse, Transcription } from './ai-client';
import { AiError } from './ai-error';
import { aiFetch } from './ai-fetch';
import type { AiTimeouts } from './ai-timeouts';
import { plainText } from './plain-text';
import { transcriptionFormat } from './transcription-format';
import { parseTranscription } from './transcription-response';

interface Settings {
  baseUrl: string;
  apiKey?: string;
  transcriptionModel?: string;
  summaryModel?: string;
}

const MAX_COMPLETION_CHARACTERS = 20_000;

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
    const request = { file, model, ...transcriptionFormat(model) };
    const response: unknown = await withTimeout(this.timeouts.transcriptionTimeoutMs, signal, (options) =>
      this.client.audio.transcriptions.create(request, options),
    );
    return { ...parseTranscription(response), ...this.sourceOf(response, model) };
  }

  async complete(instructions: string, input: string, signal: AbortSignal): Promise<AiResponse> {
    const model = configured(this.settings.summaryModel);
    const messages = [
      { role: 'system' as const, content: instructions },
      { role: 'user' as const, content: input },
    ];
    const response: unknown = await withTimeout(this.timeouts.completionTimeoutMs, signal, (options) =>
      this.client.chat.completions.create({ model, messages }, options),
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

/** @throws AiError `invalid_answer` for a response without text */
function completionText(response: unknown): string {
  const { choices } = (response ?? {}) as { choices?: { message?: { content?: unknown } }[] };
  const content = Array.isArray(choices) ? choices[0]?.message?.content : undefined;
  const text = typeof content === 'string' ? plainText(content, MAX_COMPLETION_CHARACTERS) : '';
  if (text === '') throw new AiError('invalid_answer');
  return text;
}
