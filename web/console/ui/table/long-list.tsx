import { Group, Loader, Text } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef, useState, type ReactNode } from 'react';
import { useCommonTexts } from '../../texts/texts';
import { ProblemNotice } from '../problem-notice';
import { Scroller } from '../scroller';
import { HeaderRow } from './header-row';
import { ListRow } from './list-row';
import type { Column, ListPage, PageQuery, Sorting } from './long-list.types';
import { usePages } from './use-pages';

export const ROW_HEIGHT = 44;
const OVERSCAN = 8;

interface LongListProps<Row> {
  /** What the rows are, for screen readers. */
  label: string;
  columns: readonly Column<Row>[];
  /** Of the query, with all filters. */
  queryKey: readonly unknown[];
  fetchPage: (query: PageQuery) => Promise<ListPage<Row>>;
  /** By default that of the service. */
  sorting?: Sorting;
  /** Where a row leads to: an address of the console. */
  to?: (row: Row) => string;
  /** What the first cell does, for rows that open over the list. */
  onOpen?: (row: Row) => void;
  /** Shown when there are no rows. */
  empty: ReactNode;
  testId?: string;
}

/** A list of any length: the page holds the visible rows only, and loads them from the service as they are scrolled to. */
export function LongList<Row extends { id: string }>({
  label,
  columns,
  queryKey,
  fetchPage,
  sorting: initial,
  to,
  onOpen,
  empty,
  testId,
}: LongListProps<Row>) {
  const texts = useCommonTexts();
  const scroller = useRef<HTMLDivElement>(null);
  const [sorting, setSorting] = useState<Sorting | null>(initial ?? null);
  const [count, setCount] = useState(0);
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: OVERSCAN,
  });
  const items = virtualizer.getVirtualItems();
  const pages = usePages(
    queryKey,
    fetchPage,
    sorting,
    items.map(({ index }) => index),
  );
  if (pages.total !== count) setCount(pages.total);
  const template = columns.map(({ width }) => width).join(' ');
  return (
    <>
      <Group justify="space-between">
        <Text size="sm" c="dimmed" role="status">
          {pages.isLoading ? texts.loading : texts.list.count(pages.total)}
        </Text>
        {pages.isLoading && <Loader size="xs" aria-hidden />}
      </Group>
      <ProblemNotice error={pages.error} onRetry={pages.retry} />
      {!pages.isLoading && !pages.error && pages.total === 0 ? (
        <Text>{empty}</Text>
      ) : (
        <Scroller
          ref={scroller}
          className="rows"
          role="table"
          aria-label={label}
          aria-rowcount={pages.total + 1}
          data-testid={testId}
          style={{ '--columns': template }}
        >
          <HeaderRow columns={columns} sorting={sorting} onSort={setSorting} />
          <div role="rowgroup" className="body" style={{ blockSize: virtualizer.getTotalSize() }}>
            {items.map(({ index, start, size }) => (
              <ListRow
                key={index}
                index={index}
                row={pages.rowAt(index)}
                columns={columns}
                top={start}
                height={size}
                to={to}
                onOpen={onOpen}
              />
            ))}
          </div>
        </Scroller>
      )}
    </>
  );
}
