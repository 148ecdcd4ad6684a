import 'reflect-metadata';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { Page, pageQuery, pageWindow } from './pagination';

class Query extends pageQuery(['name', 'inserted_at'], { sort_by: 'name', sort_order: 'asc' }) {}

const queryOf = (input: object): Query => plainToInstance(Query, input);
const problems = (input: object) => validateSync(queryOf(input)).map((error) => error.property);

describe('pageQuery', () => {
  it('has its defaults', () => {
    expect(queryOf({})).toEqual({ page: 1, page_size: 20, sort_by: 'name', sort_order: 'asc' });
  });

  it('reads what a query string holds', () => {
    const query = queryOf({ page: '3', page_size: '50', sort_by: 'inserted_at', sort_order: 'desc' });
    expect(query).toEqual({ page: 3, page_size: 50, sort_by: 'inserted_at', sort_order: 'desc' });
    expect(validateSync(query)).toEqual([]);
  });

  it.each([
    ['page', { page: '0' }],
    ['page', { page: '-1' }],
    ['page', { page: '1.5' }],
    ['page', { page: 'x' }],
    ['page', { page: '' }],
    ['page', { page: '99999999999999999' }],
    ['page', { page: ['1', '2'] }],
    ['page_size', { page_size: '0' }],
    ['page_size', { page_size: 'Infinity' }],
    ['sort_by', { sort_by: 'email' }],
    ['sort_by', { sort_by: ['name'] }],
    ['sort_order', { sort_order: 'ASC' }],
  ])('refuses a bad %s: %j', (field, input) => {
    expect(problems(input)).toEqual([field]);
  });

  it('takes a page_size beyond what is served', () => {
    expect(problems({ page_size: '100000' })).toEqual([]);
  });
});

describe('pageWindow', () => {
  it.each([
    [1, 20, 20, '0'],
    [2, 20, 20, '20'],
    [3, 100, 100, '200'],
    [2, 101, 100, '100'],
    [Number.MAX_SAFE_INTEGER, 1000, 100, '900719925474099000'],
  ])('page %d of %d rows is LIMIT %d OFFSET %s', (page, asked, page_size, offset) => {
    expect(pageWindow({ page, page_size: asked })).toEqual({ page_size, offset });
  });
});

describe('Page', () => {
  it.each([
    [0, 20, 20, 0],
    [1, 20, 20, 1],
    [20, 20, 20, 1],
    [21, 20, 20, 2],
    [250, 500, 100, 3],
  ])('%d rows at %d a page: page_size %d, %d pages', (total_count, asked, page_size, total_pages) => {
    const { meta } = new Page([], queryOf({ page_size: String(asked) }), total_count);
    expect(meta).toEqual({ current_page: 1, page_size, total_pages, total_count });
  });
});
