import type { Statement } from '../statement';
import { withSingleValues } from './single-values';
import { StatementNames } from './statement-names';

/** More than the code has texts. TypeORM's texts are not among them: a client decides which columns they contain. */
const MAX_NAMES = 1000;

/** One for the process, so that a name stands for the same text in every connection. */
const NAMES = new StatementNames('s', MAX_NAMES);

/** The statement with the name under which it is prepared, if it is sent again and again. */
export function prepared(statement: Statement): Statement {
  if (statement.isDynamic === true || statement.name !== undefined) return statement;
  const single = withSingleValues(statement);
  return { ...single, name: NAMES.nameOf(single.text) };
}
