import type { Statement } from '../statement';
import { StatementNames } from './statement-names';

const NAMES = new StatementNames('b');
export const prepared = (statement: Statement): Statement =>
  statement.name !== undefined ? statement : { ...statement, name: NAMES.nameOf(statement.text) };
