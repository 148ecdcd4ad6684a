import { Page, pageWindow } from './page';

describe('pageWindow', () => {
  it.each([
    [1, 20, 20, '0'],
    [2, 20, 20, '20'],
    [3, 100, 100, '200'],
    [2, 101, 100, '100'],
    [Number.MAX_SAFE_INTEGER, 1000, 100, '900719925474099000'],
  ])('page %d of %d rows is LIMIT %d OFFSET %s', (page, requested, page_size, offset) => {
    expect(pageWindow({ page, page_size: requested })).toEqual({ page_size, offset });
  });
});

describe('Page', () => {
  it.each([
    [0, 20, 20, 0],
    [1, 20, 20, 1],
    [20, 20, 20, 1],
    [21, 20, 20, 2],
    [250, 500, 100, 3],
  ])('%d rows at %d a page: page_size %d, %d pages', (total_count, requested, page_size, total_pages) => {
    const request = { page: 1, page_size: requested, sort_by: 'name', sort_order: 'asc' } as const;
    expect(new Page([], request, total_count).meta).toEqual({
      current_page: 1,
      page_size,
      total_pages,
      total_count,
    });
  });
});
