import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';

type Filters = Record<string, string>;

/**
 * Filters of a list, kept in the address: they survive a reload, the way back and a bookmark.
 * @param defaults all filters with the values that the address need not name
 */
export function useFilters<F extends Filters>(defaults: F): [F, (change: Partial<F>) => void] {
  const search: Record<string, unknown> = useSearch({ strict: false });
  const navigate = useNavigate();
  const filters = useMemo(
    () =>
      Object.fromEntries(
        Object.entries(defaults).map(([name, value]) => [name, text(search[name]) ?? value]),
      ) as F,
    [search, defaults],
  );
  const change = useCallback(
    (changed: Partial<F>) => {
      const next = Object.entries({ ...filters, ...changed }).filter(
        ([name, value]) => value !== defaults[name],
      );
      void navigate({ to: '.', search: Object.fromEntries(next) as never, replace: true });
    },
    [filters, defaults, navigate],
  );
  return [filters, change];
}

const text = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
