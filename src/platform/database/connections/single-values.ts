import type { Statement } from '../statement';

/** A text in which lists of one value are compared as that value. */
interface SingleForm {
  text: string;
  /** The indexes of these values, from 0. */
  lists: number[];
}

const LIST = /= ANY \(\$(\d+)(?:(::\w+)\[\])?\)/g;

/** By text. The texts are those of the code, so their number is bounded; null for a text that has no such form. */
const singleForms = new Map<string, SingleForm | null>();

/**
 * The statement with lists of one value compared as that value: `id = ANY ($1)` becomes `id = $1`. PostgreSQL plans a list
 * again at each execution, because it expects ten values in a plan for all lists; for one call or one user this takes longer
 * than the execution.
 */
export function withSingleValues(statement: Statement): Statement {
  const { text, values } = statement;
  if (!values || !text.includes('= ANY ($')) return statement;
  const single = singleFormOf(text);
  if (!single?.lists.every((index) => isSingle(values[index]))) return statement;
  const unpacked = values.map((value, index) =>
    single.lists.includes(index) ? (value as unknown[])[0] : value,
  );
  return { ...statement, text: single.text, values: unpacked };
}

const isSingle = (value: unknown) => Array.isArray(value) && value.length === 1;

function singleFormOf(text: string): SingleForm | null {
  const known = singleForms.get(text);
  if (known !== undefined) return known;
  const form = analyse(text);
  singleForms.set(text, form);
  return form;
}

/** @returns null if a list is used in another way, too: then its parameter has to remain a list */
function analyse(text: string): SingleForm | null {
  const numbers = [...text.matchAll(LIST)].map(([, number]) => number);
  const isUsedOtherwise = (number: string) => {
    const uses = text.match(new RegExp(`\\$${number}\\b`, 'g'))?.length;
    return uses !== numbers.filter((other) => other === number).length;
  };
  if (numbers.length === 0 || numbers.some(isUsedOtherwise)) return null;
  const single = text.replaceAll(LIST, (_, number: string, type = '') => `= $${number}${type}`);
  return { text: single, lists: [...new Set(numbers)].map((number) => Number(number) - 1) };
}
