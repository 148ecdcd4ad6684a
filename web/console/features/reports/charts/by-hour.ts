import type { components } from '../../../../shared/api/client';

export type HourReport = components['schemas']['HourReportDto'];

type SummedFigure = 'total_calls' | 'answered_calls' | 'abandoned_calls' | 'left_calls';

export interface HourFigures {
  hour: number;
  total_calls: number;
  answered_calls: number;
  /** With those whose customers left after the service level. */
  abandoned_calls: number;
  /** In such an hour of one day; null if the period has none so far. */
  average_calls: number | null;
}

/**
 * @param weekday 1 is Monday, 7 is Sunday; 0 for all days
 * @returns 24 rows
 */
export function byHour(rows: readonly HourReport[], weekday: number): HourFigures[] {
  const chosen = rows.filter((row) => weekday === 0 || row.weekday === weekday);
  return Array.from({ length: 24 }, (_, hour) => {
    const same = chosen.filter((row) => row.hour === hour);
    return {
      hour,
      total_calls: sum(same, 'total_calls'),
      answered_calls: sum(same, 'answered_calls'),
      abandoned_calls: sum(same, 'abandoned_calls') + sum(same, 'left_calls'),
      average_calls: averageCalls(same),
    };
  });
}

function sum(rows: readonly HourReport[], key: SummedFigure): number {
  return rows.reduce((total, row) => total + row[key], 0);
}

/** Of all days it is the mean of their averages, because the number of days is not known for an hour without calls. */
function averageCalls(rows: readonly HourReport[]): number | null {
  const known = rows.flatMap(({ average_calls }) => (average_calls === null ? [] : [average_calls]));
  if (known.length === 0) return null;
  return known.reduce((total, value) => total + value, 0) / known.length;
}
