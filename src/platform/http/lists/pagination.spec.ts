import 'reflect-metadata';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { pageQuery } from './pagination';

class Query extends pageQuery(['name', 'inserted_at'], { sort_by: 'name', sort_order: 'asc' }) {}

const queryOf = (input: object): Query => plainToInstance(Query, input);
const problems = (input: object) => validateSync(queryOf(input)).map((error) => error.property);

describe('pageQuery', () => {
  it('has defaults', () => {
    expect(queryOf({})).toEqual({ page: 1, page_size: 20, sort_by: 'name', sort_order: 'asc' });
  });

  it('converts the text of a query string', () => {
    const query = queryOf({ page: '3', page_size: '50', sort_by: 'inserted_at', sort_order: 'desc' });
    expect(query).toEqual({ page: 3, page_size: 50, sort_by: 'inserted_at', sort_order: 'desc' });
    expect(validateSync(query)).toEqual([]);
  });

  it('ignores the case of sort_order', () => {
    expect(queryOf({ sort_order: 'DESC' }).sort_order).toBe('desc');
    expect(problems({ sort_order: 'Asc' })).toEqual([]);
  });

  it.each([
    ['page', { page: '0' }],
    ['page', { page: '-1' }],
    ['page', { page: '1.5' }],
    ['page', { page: 'x' }],
    ['page', { page: '' }],
    ['page', { page: '0x10' }],
    ['page', { page: '0b1' }],
    ['page', { page: '1e1' }],
    ['page', { page: '1.0' }],
    ['page', { page: '+1' }],
    ['page', { page: '99999999999999999' }],
    ['page', { page: ['1', '2'] }],
    ['page_size', { page_size: '0' }],
    ['page_size', { page_size: 'Infinity' }],
    ['sort_by', { sort_by: 'email' }],
    ['sort_by', { sort_by: ['name'] }],
    ['sort_order', { sort_order: 'up' }],
    ['sort_order', { sort_order: ['asc'] }],
  ])('rejects a bad %s: %j', (field, input) => {
    expect(problems(input)).toEqual([field]);
  });

  it('says of a number with many digits that it is too large', () => {
    const [error] = validateSync(queryOf({ page: '9'.repeat(30) }));
    expect(Object.keys(error?.constraints ?? {})).toEqual(['max']);
  });

  it('accepts a page_size above the maximum, which the list limits', () => {
    expect(problems({ page_size: '100000' })).toEqual([]);
  });
});
