import type { components } from '../../../shared/api/client';
import type { AuditTexts } from './texts/en';

export type AuditEntry = components['schemas']['AuditEntryDto'];

/** @returns what happened, in words; an action that is not known is named as the service names it */
export function entrySentence(
  { action, details }: Pick<AuditEntry, 'action' | 'details'>,
  texts: AuditTexts,
): string {
  const sentence = (texts.actions as Readonly<Record<string, string>>)[action] ?? action;
  const more = [...namesOf(details.changed, texts), ...reasonOf(details, texts)];
  return more.length === 0 ? sentence : `${sentence}: ${more.join(', ')}`;
}

/** The names of changed fields. */
function namesOf(changed: unknown, { fields }: AuditTexts): string[] {
  if (!Array.isArray(changed)) return [];
  return changed.map((name) => (fields as Readonly<Record<string, string>>)[String(name)] ?? String(name));
}

/** The one word that says the most about an entry: why, which kind, which state. */
function reasonOf(details: AuditEntry['details'], { words }: AuditTexts): string[] {
  const word = details.reason ?? details.kind ?? details.chosen ?? details.end_reason;
  return typeof word === 'string' ? [(words as Readonly<Record<string, string>>)[word] ?? word] : [];
}
