import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { unwrap } from '../../../shared/api/client';
import { useApi } from '../../state/console-context';
import { Page } from '../../ui/page';
import { LongList } from '../../ui/table/long-list';
import type { PageQuery } from '../../ui/table/long-list.types';
import { useFilters } from '../../ui/use-filters';
import { NO_FILTERS, queryOf } from './call-filters.rules';
import { FilterBar } from './filter-bar';
import { callsTexts } from './texts/texts';
import { useCallColumns } from './use-call-columns';
import { useCallNews } from './use-call-news';
import { SavedViewsBar } from './views/saved-views-bar';

const LIST_KEY = ['calls', 'list'];
const any = () => true;

/** All calls that the user may see, the newest first. */
export default function CallsPage() {
  const texts = callsTexts.use();
  const api = useApi();
  const queries = useQueryClient();
  const columns = useCallColumns();
  const [filters, changeFilters] = useFilters(NO_FILTERS);
  const query = useMemo(() => queryOf(filters), [filters]);
  const fetchPage = (page: PageQuery) =>
    unwrap(api.GET('/api/v1/calls', { params: { query: { ...query, ...(page as object) } } }));
  useCallNews(
    any,
    useCallback(() => queries.invalidateQueries({ queryKey: LIST_KEY }), [queries]),
  );
  return (
    <Page title={texts.title}>
      <FilterBar filters={filters} onChange={changeFilters} />
      <SavedViewsBar filters={filters} onChoose={changeFilters} />
      <LongList
        label={texts.title}
        columns={columns}
        queryKey={[...LIST_KEY, query]}
        fetchPage={fetchPage}
        to={({ id }) => `/calls/${id}`}
        empty={texts.empty}
        testId="calls"
      />
    </Page>
  );
}
