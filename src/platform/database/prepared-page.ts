import { StatementNames } from './connections/statement-names';
import { type ListSource, sortedStatement } from './list-statements';
import { type PageRequest, pageWindow } from './page';
import { GENERIC_PLAN, type Settings, type Statement } from './statement';

/** Pages of other sizes are not prepared: a company that requests all sizes must not use up the names. */
const PREPARED_SIZES = [20, 50, 100];

/** More than an indexed list has combinations of its filter, its orders and these sizes. */
const NAMES = new StatementNames('page', 100);

/**
 * One plan for all values, so that PostgreSQL plans the statement once for each connection. It does not sort, so it
 * reads the index in the order of the list: a plan for values that are typical, but not for those of a large tenant,
 * could be slow for that tenant.
 */
const PLAN_SETTINGS: Settings = { ...GENERIC_PLAN, enable_sort: 'off' };

/**
 * Selects the first page of a list that is indexed (ListSource). LIMIT is part of the text: with a parameter, PostgreSQL
 * would assume a tenth of the list.
 */
export function preparedPage(source: ListSource, request: PageRequest): Statement {
  const { text, values } = sortedStatement(source, request);
  const { page_size } = pageWindow(request);
  const limited = `${text} LIMIT ${page_size}`;
  const name = PREPARED_SIZES.includes(page_size) ? NAMES.nameOf(limited) : undefined;
  return { text: limited, values, isDynamic: true, name, settings: PLAN_SETTINGS };
}
