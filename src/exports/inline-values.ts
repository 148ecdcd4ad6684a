import { escapeLiteral } from 'pg';
import type { Statement } from '../platform/database/statement';

/**
 * Replaces the placeholders of a statement with literals, for commands that accept no parameters, such as COPY. Each
 * literal is untyped, as a parameter of the driver is, so PostgreSQL interprets it in the same way.
 * @throws Error for a placeholder without a value, or a value that cannot be written as a literal
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
  // NUL would end the statement.
  if (text.includes('\0')) throw new Error('A value contains NUL.');
  return escapeLiteral(text);
}

function scalarText(value: unknown): string {
  // PostgreSQL does not accept the sign that ISO 8601 requires before a year of more than four digits.
  if (value instanceof Date) return value.toISOString().replace(/^\+0*/, '');
  if (['string', 'number', 'bigint', 'boolean'].includes(typeof value)) return String(value);
  throw new Error(`A value of type ${typeof value} cannot be written as a literal.`);
}

function arrayText(values: unknown[]): string {
  const elements = values.map((value) => {
    if (value === null || value === undefined) return 'NULL';
    return `"${scalarText(value).replaceAll(/["\\]/g, String.raw`\$&`)}"`;
  });
  return `{${elements.join(',')}}`;
}
