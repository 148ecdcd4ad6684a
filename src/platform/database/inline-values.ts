import { escapeLiteral } from 'pg';
import type { Statement } from './database';

/**
 * A statement with its values written into it, for commands that take no parameters, such as COPY. Each value is
 * written as text of no type, as the driver sends parameters, so that it means the same.
 * @throws Error for a placeholder without a value, or a value that has no such text
 */
export function inlineValues({ text, values = [] }: Statement): string {
  return text.replaceAll(/\$(\d+)/g, (placeholder, number: string) => {
    const index = Number(number) - 1;
    if (!(index in values)) throw new Error(`There is no value for ${placeholder}.`);
    return literal(values[index]);
  });
}

function literal(value: unknown): string {
  if (value === null || value === undefined) return 'NULL';
  const text = Array.isArray(value) ? arrayText(value) : scalarText(value);
  // It would end the statement.
  if (text.includes('\0')) throw new Error('A value holds NUL.');
  return escapeLiteral(text);
}

function scalarText(value: unknown): string {
  // PostgreSQL takes the sign that ISO 8601 puts before years of five digits for something else.
  if (value instanceof Date) return value.toISOString().replace(/^\+0*/, '');
  if (['string', 'number', 'bigint', 'boolean'].includes(typeof value)) return String(value);
  throw new Error(`A value of the kind ${typeof value} cannot be written into a statement.`);
}

function arrayText(values: unknown[]): string {
  const elements = values.map((value) => {
    if (value === null || value === undefined) return 'NULL';
    return `"${scalarText(value).replaceAll(/["\\]/g, String.raw`\$&`)}"`;
  });
  return `{${elements.join(',')}}`;
}
