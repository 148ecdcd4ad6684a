import type { TranscriptText } from '../transcript-text';

/** Injection token of the AiServer; undefined where AI_BASE_URL is not set. */
export const AI_SERVER = Symbol('AI_SERVER');

/** Whose work a result is. */
export type Origin = {
  /** Host name. */
  provider: string;
  /** As the answer names it, else as it was asked for. */
  model: string;
};

export type TranscriptResult = TranscriptText & Origin;
export type SummaryResult = { summary: string } & Origin;

/** Turns recordings into text and texts into summaries. What it throws is for failureOf. */
export interface AiServer {
  transcribe(recording: File, signal: AbortSignal): Promise<TranscriptResult>;

  /** @param language of the summary, BCP 47 */
  summarise(transcript: string, language: string, signal: AbortSignal): Promise<SummaryResult>;
}
