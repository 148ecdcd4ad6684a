import type { Language } from '../../../../shared/texts/texts';
import { formatTime } from '../../../ui/dates';
import type { Side, TimelineEntry } from './timeline.types';

/** The names behind ids, as far as the reader may know them. */
export interface Names {
  user: (id: string) => string | undefined;
  department: (id: string) => string | undefined;
}

/** What the sentences need of an entry. */
export interface EntryFacts {
  /** The agent whom the entry is about. */
  agent: string | null;
  /** Who made the offer, or had the call before. */
  by: string | null;
  to: string | null;
  department: string | null;
  kind: string | null;
  participant: Side | null;
  reason: string | null;
  /** Time of day. */
  until: string | null;
  count: number | null;
  rating: number | null;
  /** How the customer was known: by the token of the call, or by their address. */
  rated_by: string | null;
  recording: string | null;
  consent: boolean | null;
  /** How many agents could have been offered the call. */
  candidates: number;
  dropped: Side[];
}

export function factsOf(
  entry: TimelineEntry,
  { names, language, zone, dropped }: { names: Names; language: Language; zone?: string; dropped: Side[] },
): EntryFacts {
  const { user_id, user_name } = entry;
  const text = (field: string) => (typeof entry[field] === 'string' ? entry[field] : null);
  const count = (field: string) => (typeof entry[field] === 'number' ? entry[field] : null);
  const userAt = (field: string) => named(text(field), names.user);
  return {
    agent: user_name ?? named(user_id, names.user),
    by: userAt('offered_by') ?? userAt('previous_user_id'),
    to: userAt('to_user_id'),
    department: named(text('to_department_id') ?? text('department_id'), names.department),
    kind: text('kind'),
    participant: text('participant') as Side | null,
    reason: text('reason') ?? text('end_reason'),
    until: formatTime(text('invited_until') ?? text('deadline'), language, zone) || null,
    count: count('unanswered_count') ?? count('attempts'),
    rating: count('rating'),
    rated_by: text('rated_by'),
    recording: text('recording'),
    consent: typeof entry['consent'] === 'boolean' ? entry['consent'] : null,
    candidates: Array.isArray(entry['candidates']) ? entry['candidates'].length : 0,
    dropped,
  };
}

const named = (id: string | null, nameOf: (id: string) => string | undefined): string | null =>
  (id && nameOf(id)) || null;
