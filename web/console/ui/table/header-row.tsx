import { UnstyledButton } from '@mantine/core';
import type { Column, Sorting } from './long-list.types';

interface HeaderRowProps<Row> {
  columns: readonly Column<Row>[];
  sorting: Sorting | null;
  onSort: (sorting: Sorting) => void;
}

/** The names of the columns; those by which the service can sort are buttons. */
export function HeaderRow<Row>({ columns, sorting, onSort }: HeaderRowProps<Row>) {
  return (
    <div role="rowgroup" className="head">
      <div role="row" aria-rowindex={1}>
        {columns.map(({ key, header, sortBy }) => {
          const order = sortBy !== undefined && sorting?.by === sortBy ? sorting.order : null;
          return (
            <span key={key} role="columnheader" aria-sort={ariaSort(order)}>
              {sortBy === undefined ? (
                header
              ) : (
                <UnstyledButton
                  fw={600}
                  fz="inherit"
                  onClick={() => onSort({ by: sortBy, order: order === 'asc' ? 'desc' : 'asc' })}
                >
                  {header}
                  <span aria-hidden>{order === 'asc' ? ' ↑' : order === 'desc' ? ' ↓' : ''}</span>
                </UnstyledButton>
              )}
            </span>
          );
        })}
      </div>
    </div>
  );
}

function ariaSort(order: Sorting['order'] | null): 'ascending' | 'descending' | undefined {
  if (order === null) return undefined;
  return order === 'asc' ? 'ascending' : 'descending';
}
