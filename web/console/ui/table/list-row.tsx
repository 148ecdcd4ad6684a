import { Anchor, Skeleton, UnstyledButton } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Column } from './long-list.types';

interface ListRowProps<Row> {
  index: number;
  /** Undefined while it is loaded. */
  row: Row | undefined;
  columns: readonly Column<Row>[];
  /** Pixels from the beginning of the list. */
  top: number;
  height: number;
  to?: (row: Row) => string;
  onOpen?: (row: Row) => void;
}

export function ListRow<Row>({ index, row, columns, top, height, to, onOpen }: ListRowProps<Row>) {
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      className={to || onOpen ? 'link' : undefined}
      style={{ blockSize: height, transform: `translateY(${top}px)` }}
    >
      {columns.map((column, position) => (
        <span key={column.key} role="cell">
          {row === undefined ? (
            <Skeleton height={12} width="60%" />
          ) : position === 0 ? (
            <Opener row={row} to={to} onOpen={onOpen}>
              {column.cell(row)}
            </Opener>
          ) : (
            column.cell(row)
          )}
        </span>
      ))}
    </div>
  );
}

type OpenerProps<Row> = Pick<ListRowProps<Row>, 'to' | 'onOpen'> & { row: Row; children: ReactNode };

function Opener<Row>({ row, to, onOpen, children }: OpenerProps<Row>) {
  if (to)
    return (
      <Anchor component={Link} to={to(row)}>
        {children}
      </Anchor>
    );
  if (onOpen)
    return (
      <UnstyledButton c="var(--mantine-color-anchor)" onClick={() => onOpen(row)}>
        {children}
      </UnstyledButton>
    );
  return children;
}
