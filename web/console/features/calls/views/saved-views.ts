import { type CallFilters, NO_FILTERS } from '../call-filters.rules';

/** A named set of filters. */
export interface SavedView {
  id: string;
  name: string;
  filters: CallFilters;
}

const keyOf = (userId: string) => `vcq-call-views-${userId}`;

/** The views of a user in this browser. */
export const viewStore = {
  read: (userId: string): SavedView[] => parseViews(localStorage.getItem(keyOf(userId))),
  write: (userId: string, views: readonly SavedView[]): void =>
    localStorage.setItem(keyOf(userId), JSON.stringify(views)),
};

/** @returns the views; without those that cannot be read, and with all filters of this version */
export function parseViews(text: string | null): SavedView[] {
  try {
    const stored: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(stored) ? stored.flatMap(viewOf) : [];
  } catch {
    return [];
  }
}

function viewOf(stored: unknown): SavedView[] {
  const { id, name, filters } = (stored ?? {}) as Partial<Record<keyof SavedView, unknown>>;
  if (typeof id !== 'string' || typeof name !== 'string' || typeof filters !== 'object') return [];
  const known = Object.keys(NO_FILTERS).map((key) => {
    const value = (filters as Record<string, unknown> | null)?.[key];
    return [key, typeof value === 'string' ? value : ''];
  });
  return [{ id, name, filters: Object.fromEntries(known) as CallFilters }];
}

/** @returns the views by name, with the given one added or replaced */
export function withView(views: readonly SavedView[], view: SavedView): SavedView[] {
  return [...views.filter(({ id }) => id !== view.id), view].sort((one, other) =>
    one.name.localeCompare(other.name),
  );
}

/** @returns the view that has exactly these filters */
export const viewWith = (views: readonly SavedView[], filters: CallFilters): SavedView | undefined =>
  views.find((view) => JSON.stringify(view.filters) === JSON.stringify({ ...NO_FILTERS, ...filters }));
