import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo, useState } from 'react';

type Filters = Record<string, string>;
type Search = Record<string, unknown>;

/**
 * Filters of a list, kept in the address: they survive a reload, the way back and a bookmark. The address follows a change a
 * moment later; until then, the change is kept beside it, so that fields show what is typed.
 * @param defaults all filters with the values that the address need not name
 */
export function useFilters<F extends Filters>(defaults: F): [F, (change: Partial<F>) => void] {
  const search: Search = useSearch({ strict: false });
  const navigate = useNavigate();
  const inAddress = useMemo(() => valuesIn(search, defaults), [search, defaults]);
  const [ahead, setAhead] = useState<Partial<F>>({});
  useEffect(() => setAhead((all) => withoutReached(all, inAddress)), [inAddress]);
  const filters = useMemo(() => ({ ...inAddress, ...ahead }), [inAddress, ahead]);
  const change = useCallback(
    (changed: Partial<F>) => {
      setAhead((all) => ({ ...all, ...changed }));
      // The address of the last change, which may not be shown yet.
      const next = (before: Search) =>
        withoutDefaults({ ...valuesIn(before, defaults), ...changed }, defaults);
      void navigate({ to: '.', search: next, replace: true });
    },
    [defaults, navigate],
  );
  return [filters, change];
}

const valuesIn = <F extends Filters>(search: Search, defaults: F): F =>
  Object.fromEntries(
    Object.entries(defaults).map(([name, value]) => [name, text(search[name]) ?? value]),
  ) as F;

const withoutDefaults = (values: Filters, defaults: Filters): Filters =>
  Object.fromEntries(Object.entries(values).filter(([name, value]) => value !== defaults[name]));

/** @returns the same object if the address has reached none of the changes */
function withoutReached<F extends Filters>(ahead: Partial<F>, inAddress: F): Partial<F> {
  const rest = Object.entries(ahead).filter(([name, value]) => inAddress[name] !== value);
  return rest.length === Object.keys(ahead).length ? ahead : (Object.fromEntries(rest) as Partial<F>);
}

const text = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
