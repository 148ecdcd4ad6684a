import OpenAI from 'openai';
import { toSingleLine } from '../../../platform/text/single-line';
import { aiFetch } from './ai-fetch';
import { AiFailure } from './ai-failure';
import type { AiTimeouts } from './ai-timeouts';
import type { AiServer, Origin, SummaryResult, TranscriptResult } from './ai-server';
import { plainText } from './plain-text';
import { transcriptionFormat } from './response-format';
import { summaryPrompt } from '../summary-prompt';
import { transcriptText } from '../transcript-text';

interface Settings {
  baseUrl: string;
  apiKey?: string;
  transcriptionModel?: string;
  summaryModel?: string;
}

const MOST_SUMMARY_CHARACTERS = 20_000;

/** What the client would otherwise take from variables that were set for something else. */
const NOT_FROM_THE_ENVIRONMENT = {
  adminAPIKey: null,
  organization: null,
  project: null,
  webhookSecret: null,
  logLevel: 'off',
} as const;

/** Any server that speaks the OpenAI API. It makes one request for each call: jobs try again. */
export class OpenAiServer implements AiServer {
  private readonly client: OpenAI;
  private readonly provider: string;

  constructor(
    private readonly settings: Settings,
    private readonly patience: AiTimeouts,
  ) {
    this.provider = new URL(settings.baseUrl).hostname;
    this.client = new OpenAI({
      ...NOT_FROM_THE_ENVIRONMENT,
      baseURL: settings.baseUrl,
      // The client wants one, though many servers of one's own ask for none.
      apiKey: settings.apiKey ?? 'none',
      maxRetries: 0,
      fetch: aiFetch,
    });
  }

  async transcribe(file: File, signal: AbortSignal): Promise<TranscriptResult> {
    const model = configured(this.settings.transcriptionModel);
    const request = { file, model, ...transcriptionFormat(model) };
    const answer: unknown = await within(this.patience.transcriptMs, signal, (options) =>
      this.client.audio.transcriptions.create(request, options),
    );
    return { ...transcriptText(answer), ...this.originOf(answer, model) };
  }

  async summarise(transcript: string, language: string, signal: AbortSignal): Promise<SummaryResult> {
    const model = configured(this.settings.summaryModel);
    const messages = [
      { role: 'system' as const, content: summaryPrompt(language) },
      { role: 'user' as const, content: transcript },
    ];
    const answer: unknown = await within(this.patience.summaryMs, signal, (options) =>
      this.client.chat.completions.create({ model, messages }, options),
    );
    return { summary: summaryOf(answer), ...this.originOf(answer, model) };
  }

  private originOf(answer: unknown, asked: string): Origin {
    const named = (answer as { model?: unknown } | null)?.model;
    const model = typeof named === 'string' ? toSingleLine(named).slice(0, 200).toWellFormed() : '';
    return { provider: this.provider, model: model === '' ? asked : model };
  }
}

function configured(model: string | undefined): string {
  if (model === undefined) throw new AiFailure('not_configured');
  return model;
}

/** The client's own timeout leaves out what an error says; this one covers all, and comes first. */
async function within<T>(
  ms: number,
  signal: AbortSignal,
  ask: (options: { signal: AbortSignal; timeout: number }) => Promise<T>,
): Promise<T> {
  const late = AbortSignal.timeout(ms);
  try {
    return await ask({ signal: AbortSignal.any([signal, late]), timeout: 2 * ms });
  } catch (error) {
    throw late.aborted ? new AiFailure('timeout') : error;
  }
}

/** @throws AiFailure `invalid_answer` for anything without a summary */
function summaryOf(answer: unknown): string {
  const { choices } = (answer ?? {}) as { choices?: { message?: { content?: unknown } }[] };
  const content = Array.isArray(choices) ? choices[0]?.message?.content : undefined;
  const summary = typeof content === 'string' ? plainText(content, MOST_SUMMARY_CHARACTERS) : '';
  if (summary === '') throw new AiFailure('invalid_answer');
  return summary;
}
