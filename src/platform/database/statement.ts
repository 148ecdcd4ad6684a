import type { QueryConfig } from 'pg';
import { StatementNames } from './connections/statement-names';

/** One SQL statement. PostgreSQL prepares it once for each connection when it is sent again and again. */
export interface Statement {
  text: string;
  values?: unknown[];
  /**
   * True for a text that PostgreSQL plans each time: because it is put together for its request, as that of a list is, so
   * that there are too many of them, or because the best plan depends on the values.
   */
  isDynamic?: boolean;
  /** Prepares the statement under this name. By default it gets one when it has been sent a few times. */
  name?: string;
  /** Applies to all statements of the same read (Database.readTenant, readSystem). */
  settings?: Settings;
}

/** Settings of PostgreSQL by their names. */
export type Settings = Readonly<Record<string, string>>;

/**
 * For statements that have one good plan for all values. PostgreSQL would otherwise plan those again at each execution whose
 * plan it expects to be better for the present values, even if planning takes longer than execution.
 */
export const GENERIC_PLAN: Settings = { plan_cache_mode: 'force_generic_plan' };

/** More than the code has texts. */
const MAX_NAMES = 1000;

/** One for the process, so that a name stands for the same text in every connection. */
const NAMES = new StatementNames('s', MAX_NAMES);

/**
 * The query of pg for a statement, with the name under which it is prepared if it is sent again and again.
 * @throws Error for an object that JSON cannot represent: pg would find out when the statements after it are sent already
 */
export function toQuery({ text, values, isDynamic, name }: Statement): QueryConfig {
  const ownName = name ?? (isDynamic ? undefined : NAMES.nameOf(text));
  return {
    text,
    ...(values && { values: values.map((value) => (isPlainObject(value) ? JSON.stringify(value) : value)) }),
    ...(ownName !== undefined && { name: ownName }),
  };
}

const isPlainObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
