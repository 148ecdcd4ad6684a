import { useMemo } from 'react';
import { useLanguage } from '../../texts/language';
import { formatRangeAs } from '../../ui/dates';

interface Times {
  starts_at: string;
  ends_at: string;
}

/** Texts of times in a zone. */
export function useFormats(zone: string): { period: (times: Times) => string } {
  const language = useLanguage();
  return useMemo(
    () => ({
      period: ({ starts_at, ends_at }) => formatRangeAs('period', [starts_at, ends_at], language, zone),
    }),
    [language, zone],
  );
}
