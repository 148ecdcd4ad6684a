import { toSingleLine } from '../../platform/text/single-line';
import { AiFailure } from './ai/ai-failure';
import { languageTag } from './language-tag';
import { plainText } from './ai/plain-text';

/** Longer than a day of talk. */
const MOST_CHARACTERS = 1_000_000;

/** A transcript as it is stored. */
export type TranscriptText = {
  /** A line a turn; empty where nobody speaks. */
  transcript: string;
  /** BCP 47; `und` where it is not known. */
  language: string;
};

interface Segment {
  /** Empty where the provider tells no speakers apart. */
  speaker: string;
  text: string;
}

/**
 * Reads a provider's answer: `json`, `verbose_json` or `diarized_json` of the OpenAI API. Consecutive segments of
 * one speaker are one line, `Speaker: text`; segments without speakers are a line each; a text alone stays as it is.
 * @throws AiFailure `invalid_answer` for anything without text
 */
export function transcriptText(answer: unknown): TranscriptText {
  const { text, segments, language, languages } = fieldsOf(answer);
  const lines = linesOf(segmentsOf(segments));
  if (lines === '' && typeof text !== 'string') throw new AiFailure('invalid_answer');
  return {
    transcript: plainText(lines === '' ? String(text) : lines, MOST_CHARACTERS),
    language: languageTag(language ?? (Array.isArray(languages) ? fieldsOf(languages[0]).code : undefined)),
  };
}

const fieldsOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

/** Segments of which one is none at all are worth nothing: then the text alone counts. */
function segmentsOf(value: unknown): Segment[] {
  const segments = (Array.isArray(value) ? value : []).map(fieldsOf);
  if (!segments.every(({ text }) => typeof text === 'string')) return [];
  return segments
    .map(({ speaker, text }) => ({
      speaker: typeof speaker === 'string' ? toSingleLine(speaker) : '',
      text: toSingleLine(String(text)),
    }))
    .filter(({ text }) => text !== '');
}

function linesOf(segments: Segment[]): string {
  const turns: Segment[] = [];
  for (const { speaker, text } of segments) {
    const last = turns.at(-1);
    if (last && speaker !== '' && last.speaker === speaker) last.text += ` ${text}`;
    else turns.push({ speaker, text });
  }
  return turns.map(({ speaker, text }) => (speaker === '' ? text : `${speaker}: ${text}`)).join('\n');
}
