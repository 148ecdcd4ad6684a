import type { Texts } from '../texts/texts';

interface Coded {
  code: string;
  request_id?: string | null;
}

/** What went wrong, by the code of the service; a code without a text gets a general sentence. */
export function errorText({ code }: Coded, { errors }: Pick<Texts, 'errors'>): string {
  const { nextTry: _nextTry, ...sentences } = errors;
  return isKeyOf(sentences, code) ? sentences[code] : sentences.unknown;
}

/** As errorText, of a request that is not repeated: it must not say that the page keeps trying. */
export function refusalText({ code }: Coded, texts: Pick<Texts, 'errors'>): string {
  const once = `${code}Once`;
  return isKeyOf(texts.errors, once) ? errorText({ code: once }, texts) : errorText({ code }, texts);
}

/** Whether the number of the request helps: only the service's log says more about an error without a text. */
export function showsRequestId({ code, request_id }: Coded, { errors }: Pick<Texts, 'errors'>): boolean {
  return Boolean(request_id) && !isKeyOf(errors, code);
}

export const isKeyOf = <Key extends string>(object: Record<Key, unknown>, key: string): key is Key =>
  Object.hasOwn(object, key);
