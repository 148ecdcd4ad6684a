const MAX_PAGE_SIZE = 100;

/** Which page of a list is asked for, and in which order. */
export interface PageRequest {
  /** The first page is 1. */
  page: number;
  page_size: number;
  sort_by: string;
  sort_order: 'asc' | 'desc';
}

/** LIMIT and OFFSET of a page. */
interface PageWindow {
  page_size: number;
  /** Text, because it can be larger than the largest safe integer. */
  offset: string;
}

/** One page of a list, with its position in the whole list. */
export class Page<Item> {
  readonly meta: { current_page: number; page_size: number; total_pages: number; total_count: number };

  constructor(
    readonly data: Item[],
    request: PageRequest,
    totalCount: number,
  ) {
    const { page_size } = pageWindow(request);
    this.meta = {
      current_page: request.page,
      page_size,
      total_pages: Math.ceil(totalCount / page_size),
      total_count: totalCount,
    };
  }
}

/** A page_size above 100 is treated as 100. */
export function pageWindow({ page, page_size }: Pick<PageRequest, 'page' | 'page_size'>): PageWindow {
  const limited = Math.min(page_size, MAX_PAGE_SIZE);
  return { page_size: limited, offset: String((BigInt(page) - 1n) * BigInt(limited)) };
}
