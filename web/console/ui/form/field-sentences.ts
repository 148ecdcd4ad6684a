import type { ProblemTexts } from '../../texts/problems-en';
import { problemTexts } from '../../texts/texts';
import { problemText } from './field-problems';

/** What a page itself says of fields of its form, in the reader's language. `useSave` shows it at them. */
export class FieldSentences extends Error {
  constructor(readonly fields: Readonly<Record<string, string>>) {
    super(Object.values(fields).join(' '));
    this.name = 'FieldSentences';
  }
}

/** @returns translates what the service says of one field */
export async function loadFieldTranslator(): Promise<
  (sentences: readonly string[], isDuration?: boolean) => string
> {
  const texts = await loadTexts();
  return (sentences, isDuration) =>
    texts ? problemText(sentences, texts, isDuration) : sentences.join('. ');
}

/** @returns what is said at fields in which something is half typed */
export async function loadIncompleteSentences(fields: readonly string[]): Promise<FieldSentences> {
  const { incomplete = 'is incomplete' } = (await loadTexts()) ?? {};
  return new FieldSentences(Object.fromEntries(fields.map((field) => [field, incomplete])));
}

/** @returns null if they cannot be loaded: the service's own sentences help more than none */
const loadTexts = (): Promise<ProblemTexts | null> => problemTexts.preload().catch(() => null);
