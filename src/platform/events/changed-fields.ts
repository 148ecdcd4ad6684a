import { isDeepStrictEqual } from 'node:util';

/** Names of the fields whose value in `changes` differs from `before`. Undefined values are ignored. */
export function changedFields<Row extends object>(before: Row, changes: Partial<Row>): string[] {
  return Object.entries(changes)
    .filter(([name, value]) => value !== undefined && !isDeepStrictEqual(value, before[name as keyof Row]))
    .map(([name]) => name);
}
