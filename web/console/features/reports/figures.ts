import type { components } from '../../../shared/api/client';
import type { FigureKind } from '../../ui/format-figure';

export type CallFigures = components['schemas']['CallFiguresDto'];

type FigureKey = Exclude<keyof CallFigures, 'ratings'>;

export interface Figure {
  key: FigureKey;
  kind: FigureKind;
  /** Which direction is good; null if none is. */
  good: 'up' | 'down' | null;
}

/** Those of the overview, in the order in which they are shown. */
export const FIGURES = [
  { key: 'total_calls', kind: 'count', good: null },
  { key: 'answered_calls', kind: 'count', good: null },
  { key: 'service_level', kind: 'share', good: 'up' },
  { key: 'abandonment_rate', kind: 'share', good: 'down' },
  { key: 'average_wait_time', kind: 'seconds', good: 'down' },
  { key: 'longest_wait_time', kind: 'seconds', good: 'down' },
  { key: 'average_handle_time', kind: 'seconds', good: null },
  { key: 'average_duration', kind: 'seconds', good: null },
  { key: 'missed_calls', kind: 'count', good: 'down' },
  { key: 'cancelled_calls', kind: 'count', good: null },
  { key: 'dropped_calls', kind: 'count', good: 'down' },
  { key: 'wait_estimate_error', kind: 'seconds', good: 'down' },
  { key: 'average_rating', kind: 'rating', good: 'up' },
] as const satisfies readonly Figure[];

export interface Comparison {
  direction: 'up' | 'down' | 'same';
  /** Null if neither direction is good. */
  judgement: 'better' | 'worse' | null;
}

/** Differences below these are not seen in what is written. */
const SMALLEST: Readonly<Record<FigureKind, number>> = {
  count: 1,
  seconds: 0.5,
  share: 0.0005,
  rating: 0.005,
};

/** @returns null if one of the two periods has no such figure */
export function compare(
  { kind, good }: Pick<Figure, 'kind' | 'good'>,
  now: number | null,
  before: number | null,
): Comparison | null {
  if (now === null || before === null) return null;
  const difference = now - before;
  if (Math.abs(difference) < SMALLEST[kind]) return { direction: 'same', judgement: null };
  const direction = difference > 0 ? 'up' : 'down';
  if (good === null) return { direction, judgement: null };
  return { direction, judgement: direction === good ? 'better' : 'worse' };
}
