import type { Column } from './long-list.types';

/** A column that shows one field as it is, and sorts by it. */
export function fieldColumn<Key extends string>(
  key: Key,
  header: string,
  width: string,
): Column<Record<Key, string | number>> {
  return { key, header, width, sortBy: key, cell: (row) => row[key] };
}
