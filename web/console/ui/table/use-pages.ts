import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { ListPage, PageQuery, Sorting } from './long-list.types';

export const PAGE_SIZE = 50;

interface Pages<Row> {
  total: number;
  isLoading: boolean;
  error: unknown;
  retry: () => unknown;
  /** Undefined while its page is loaded. */
  rowAt: (index: number) => Row | undefined;
}

/** Loads the first page of a list, which tells its length, and those with the visible rows. */
export function usePages<Row>(
  key: readonly unknown[],
  fetchPage: (query: PageQuery) => Promise<ListPage<Row>>,
  sorting: Sorting | null,
  visible: readonly number[],
): Pages<Row> {
  const queryOf = (page: number) => ({
    queryKey: [...key, sorting, page],
    queryFn: () =>
      fetchPage({
        page,
        page_size: PAGE_SIZE,
        ...(sorting && { sort_by: sorting.by, sort_order: sorting.order }),
      }),
  });
  const first = useQuery({ ...queryOf(1), placeholderData: keepPreviousData });
  const numbers = [...new Set(visible.map((index) => Math.floor(index / PAGE_SIZE) + 1))].filter(
    (page) => page > 1,
  );
  const others = useQueries({ queries: numbers.map(queryOf) });
  const rowAt = useCallback(
    (index: number) => {
      const page = Math.floor(index / PAGE_SIZE) + 1;
      const { data } = page === 1 ? first : (others[numbers.indexOf(page)] ?? { data: undefined });
      return data?.data[index % PAGE_SIZE];
    },
    [first, others, numbers],
  );
  const failed = [first, ...others].find(({ error }) => error);
  return {
    total: first.data?.meta.total_count ?? 0,
    isLoading: first.isPending,
    error: failed?.error ?? null,
    retry: () => failed?.refetch(),
    rowAt,
  };
}
