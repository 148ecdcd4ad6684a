import type { Statement } from '../statement';

/** The joined text of each sequence of texts, of which there are as many as kinds of changes (`Transaction.append`). */
const TEXTS = new Map<string, string>();

/**
 * One statement that does the work of several which only write and do not see each other's rows. It costs less than sending
 * them one after another, since each statement is bound, started, ended and answered separately.
 * @param statements INSERT, UPDATE or DELETE with constant texts, without RETURNING, WITH, and `$` in literals
 */
export function joinedWrites(statements: readonly Statement[]): Statement {
  const [first, ...others] = statements;
  if (first && others.length === 0) return first;
  const key = statements.map(({ text }) => text).join(';');
  const text = TEXTS.get(key) ?? joinTexts(statements);
  TEXTS.set(key, text);
  return { text, values: statements.flatMap(({ values = [] }) => values) };
}

function joinTexts(statements: readonly Statement[]): string {
  let offset = 0;
  const texts = statements.map(({ text, values = [] }) => {
    const before = offset;
    offset += values.length;
    return text.replaceAll(/\$(\d+)/g, (_, number: string) => `$${Number(number) + before}`);
  });
  const parts = texts.slice(0, -1).map((text, index) => `w${index} AS (${text})`);
  return `WITH ${parts.join(', ')} ${texts.at(-1)}`;
}
