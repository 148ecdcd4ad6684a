import type { Statement } from '../statement';
import { StatementNames } from './statement-names';

/** More than the code has texts. TypeORM's texts are not among them: a client decides which columns they contain. */
const MAX_NAMES = 500;

/** One for the process, so that a name stands for the same text in every connection. */
const NAMES = new StatementNames('s', MAX_NAMES);

/** The statement with the name under which it is prepared, if it is sent again and again. */
export const prepared = (statement: Statement): Statement =>
  statement.isDynamic === true || statement.name !== undefined
    ? statement
    : { ...statement, name: NAMES.nameOf(statement.text) };
