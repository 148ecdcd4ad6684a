import type { components } from '../../../shared/api/client';
import type { AuditTexts } from './texts/en';

export type AuditEntry = components['schemas']['AuditEntryDto'];

/** @returns what happened, in words; an action that is not known is named as the service names it */
export function entrySentence(
  { action, details }: Pick<AuditEntry, 'action' | 'details'>,
  texts: AuditTexts,
): string {
  const actions: Words = texts.actions;
  // Some actions have a sentence for each outcome.
  const outcome = details.status ?? details.change;
  const sentence = actions[`${action}.${String(outcome)}`] ?? actions[action] ?? action;
  const more = [...namesOf(details.changed, texts.fields), ...reasonOf(details, texts)];
  return more.length === 0 ? sentence : `${sentence}: ${more.join(', ')}`;
}

/** @returns a detail of an entry: its name and its value, in words where the texts have them */
export function entryDetail(
  [name, value]: [string, unknown],
  texts: AuditTexts,
  { yes, no, none }: { yes: string; no: string; none: string },
): [name: string, value: string] {
  const wordOf = (item: unknown): string => {
    if (item === null || item === undefined || item === '') return none;
    if (typeof item === 'boolean') return item ? yes : no;
    if (typeof item === 'string') return (texts.words as Words)[item] ?? item;
    return JSON.stringify(item);
  };
  const names: Readonly<Record<string, Words>> = { changed: texts.fields, filters: texts.filters };
  const values = names[name] ? namesOf(value, names[name]) : [value].flat().map(wordOf);
  return [(texts.details as Words)[name] ?? name, values.join(', ') || none];
}

type Words = Readonly<Record<string, string>>;

/** The names of changed fields, or of the filters of an export. */
function namesOf(names: unknown, words: Words): string[] {
  if (!Array.isArray(names)) return [];
  return names.map((name) => words[String(name)] ?? String(name));
}

/** What says the most about an entry: why, which kind, which state, which role. */
function reasonOf(details: AuditEntry['details'], { words }: AuditTexts): string[] {
  const { reason, kind, chosen, end_reason, plan, by, role, previous_role } = details;
  const said =
    previous_role === undefined
      ? [reason ?? kind ?? chosen ?? end_reason ?? plan ?? by ?? role]
      : [previous_role, role];
  const inWords = said.flatMap((word) => (typeof word === 'string' ? [(words as Words)[word] ?? word] : []));
  return inWords.length === 0 ? [] : [inWords.join(' → ')];
}
