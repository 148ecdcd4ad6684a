import { isDeepStrictEqual } from 'node:util';

/** Names of the fields to which `changes` gives another value; a field that it leaves out stays as it is. */
export function changedFields<Row extends object>(before: Row, changes: Partial<Row>): string[] {
  return Object.entries(changes)
    .filter(([name, value]) => value !== undefined && !isDeepStrictEqual(value, before[name as keyof Row]))
    .map(([name]) => name);
}
