import type { ListPage } from '../ui/table/long-list.types';

const PAGE_SIZE = 100;
/** Lists to choose from are short; one that is not ends here, not in thousands of requests. */
const MAX_PAGES = 20;

/** @returns all rows of a short list, for example to choose from */
export async function fetchAll<Row>(
  fetchPage: (query: { page: number; page_size: number }) => Promise<ListPage<Row>>,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (let page = 1; page <= MAX_PAGES; page++) {
    const { data, meta } = await fetchPage({ page, page_size: PAGE_SIZE });
    rows.push(...data);
    if (rows.length >= meta.total_count || data.length === 0) break;
  }
  return rows;
}
