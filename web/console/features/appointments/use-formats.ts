import { useMemo } from 'react';
import { useLanguage } from '../../texts/language';
import { LOCALES } from '../../ui/dates';

interface Times {
  starts_at: string;
  ends_at: string;
}

/** Texts of times in a zone. */
export function useFormats(zone: string): { period: (times: Times) => string } {
  const language = useLanguage();
  return useMemo(() => {
    const format = new Intl.DateTimeFormat(LOCALES[language], {
      dateStyle: 'medium',
      timeStyle: 'short',
      timeZone: zone,
    });
    return {
      period: ({ starts_at, ends_at }) => format.formatRange(new Date(starts_at), new Date(ends_at)),
    };
  }, [language, zone]);
}
