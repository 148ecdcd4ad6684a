import type { ProblemTexts } from '../../texts/problems-en';
import { formatDuration } from '../duration';

/**
 * The sentences of the service's validators, and the names of their translations. Of several sentences about one field
 * the first in this order is shown: what kind of value is expected says more than its length.
 */
const PROBLEMS: readonly (readonly [RegExp, keyof ProblemTexts])[] = [
  [/(contain at least 1|name at least one) /, 'missing'],
  [/(not be empty|a visible character)$|^is required/, 'missing'],
  [/be an e-mail address$/, 'email'],
  [/be a whole number/, 'integer'],
  [/be a number/, 'number'],
  [/be at least (\S+)$/, 'min'],
  [/be at most (\S+)$/, 'max'],
  [/at most (\d+) (?:items?|sites)$/, 'maxItems'],
  [/ twice$/, 'twice'],
  [/be one of|only these values|code of a country|be a UUID|only UUIDs/, 'choice'],
  [/ISO 8601|be a date|between the years/, 'date'],
  [/be in the future/, 'future'],
  [/at most (\d+) hours after/, 'maxHours'],
  [/be after|be before/, 'order'],
  [/longer than (\d+) s /, 'maxSeconds'],
  [/pairs of times/, 'times'],
  [/end after they begin/, 'timesOrder'],
  [/overlap$/, 'timesOverlap'],
  [/IANA/, 'zone'],
  [/BCP 47/, 'language'],
  [/#rrggbb/, 'color'],
  [/a letter or digit/, 'identifier'],
  [/begin with https|be a valid URL|blanks or|be an https URL/, 'url'],
  [/user name or password/, 'urlPassword'],
  [/private or reserved/, 'urlPrivate'],
  [/contains "(.*)", which is not the https URL/, 'site'],
  [/contain "(.*)", which the service uses/, 'reserved'],
  [/an IP address/, 'ip'],
  [/a valid (CPF|CNPJ)/, 'document'],
  [/one of the most common/, 'commonPassword'],
  [/(?:at most|of \d+ to) (\d+) characters$/, 'maxLength'],
  [/at least (\d+) characters$/, 'minLength'],
  [/at most (\d+) KiB/, 'maxSize'],
  [/at most (\d+) megapixels/, 'pixels'],
  [/these formats: (.*)$/, 'picture'],
  [/audio or video/, 'media'],
  [/already in use/, 'taken'],
  [/does not exist|no longer exists|is not an? (?:active )?user|of the company's pause_reasons/, 'gone'],
  [/is inactive/, 'inactive'],
  [/wrong or has been used/, 'wrongCode'],
  [/is wrong/, 'wrong'],
  [/is the department itself/, 'ownDepartment'],
  [/is the tag itself/, 'ownTag'],
  [/deeper than (\d+) levels$/, 'depth'],
  [/already a member/, 'member'],
];

/**
 * @param sentences the service's, which are in English. @param isDuration whether numbers in them are seconds
 * @returns a sentence for what the service says of a field
 */
export function problemText(sentences: readonly string[], texts: ProblemTexts, isDuration = false): string {
  for (const [pattern, name] of PROBLEMS) {
    for (const sentence of sentences) {
      const found = pattern.exec(sentence);
      if (found) return textOf(texts[name], found, isDuration && (name === 'min' || name === 'max'));
    }
  }
  return texts.invalid;
}

function textOf(
  text: string | ((value: string) => string),
  [, ...groups]: RegExpExecArray,
  isDuration: boolean,
): string {
  if (typeof text === 'string') return text;
  const value = groups.find((group) => group !== undefined) ?? '';
  return text(isDuration ? formatDuration(Number(value) * 1000) : value);
}
