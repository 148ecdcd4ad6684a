import { toSingleLine } from '../../../platform/text/single-line';
import type { Transcription } from './ai-client';
import { AiError } from './ai-error';
import { languageTag } from './language-tag';
import { plainText } from './plain-text';

/** More than anyone says in a day. */
const MAX_CHARACTERS = 1_000_000;

interface Segment {
  /** Empty if the server does not distinguish speakers. */
  speaker: string;
  text: string;
}

/**
 * Parses a transcription: `json`, `verbose_json` or `diarized_json` of the OpenAI API. Consecutive segments of one
 * speaker become one line, `Speaker: text`; segments without speakers become one line each; a response without
 * segments keeps its text as it is.
 * @throws AiError `invalid_answer` for a response without text
 */
export function parseTranscription(response: unknown): Pick<Transcription, 'text' | 'language'> {
  const { text, segments, language, languages } = fieldsOf(response);
  const lines = linesOf(segmentsOf(segments));
  if (lines === '' && typeof text !== 'string') throw new AiError('invalid_answer');
  return {
    text: plainText(lines === '' ? String(text) : lines, MAX_CHARACTERS),
    language: languageTag(language ?? (Array.isArray(languages) ? fieldsOf(languages[0]).code : undefined)),
  };
}

const fieldsOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

/** None if any segment is malformed: the response's text is used instead. */
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
