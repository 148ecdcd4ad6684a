import type { ReactNode } from 'react';

export interface Column<Row> {
  key: string;
  header: string;
  /** Of a CSS grid: `12rem`, `minmax(10rem, 1fr)`. */
  width: string;
  /** The `sort_by` of the service, if it can sort by this column. */
  sortBy?: string;
  cell: (row: Row) => ReactNode;
}

export interface Sorting {
  by: string;
  order: 'asc' | 'desc';
}

/** What a list of the API takes and answers. */
export interface PageQuery {
  page: number;
  page_size: number;
  sort_by?: string;
  sort_order?: 'asc' | 'desc';
}

export interface ListPage<Row> {
  data: Row[];
  meta: { total_count: number };
}
