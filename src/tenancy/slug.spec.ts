import * as fc from 'fast-check';
import { uniqueSlug, slugify, toSlug } from './slug';

describe('slugify', () => {
  it.each([
    ['Suporte Técnico', 'suporte-tecnico'],
    ['  Vendas & Cobrança  ', 'vendas-cobranca'],
    ['ÁÉÍÓÚ ãõ ç ñ ü', 'aeiou-ao-c-n-u'],
    ['already-a-slug', 'already-a-slug'],
    ['a___b...c', 'a-b-c'],
    ['--edges--', 'edges'],
    ['24h', '24h'],
    ['e\u0301', 'e'],
  ])('%j is %j', (name, slug) => {
    expect(slugify(name, 'fallback')).toBe(slug);
  });

  it.each(['', '   ', '!!!', '日本語', '🙂'])('falls back for %j', (name) => {
    expect(slugify(name, 'department')).toBe('department');
  });

  it('ends with a letter or digit, also when it is truncated', () => {
    expect(slugify(`${'a'.repeat(59)} tail`, 'x')).toBe('a'.repeat(59));
    expect(slugify('b'.repeat(300), 'x')).toHaveLength(60);
  });

  it('always returns a slug, and is idempotent', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 100 }), (name) => {
        const slug = slugify(name, 'fallback');
        expect(slug).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
        expect(slugify(slug, 'other')).toBe(slug);
      }),
    );
  });
});

describe('toSlug', () => {
  it('neither truncates nor falls back', () => {
    expect(toSlug(` Olá ${'b'.repeat(300)}!`)).toBe(`ola-${'b'.repeat(300)}`);
    expect(toSlug('日本')).toBe('');
  });
});

describe('uniqueSlug', () => {
  it.each([
    [[], 'sales'],
    [['sales'], 'sales-2'],
    [['sales', 'sales-2'], 'sales-3'],
    [['sales', 'sales-3'], 'sales-2'],
    [['sales-2'], 'sales'],
    [['Sales', 'sales-north'], 'sales'],
  ])('with %j taken, returns %j', (taken, slug) => {
    expect(uniqueSlug('sales', taken)).toBe(slug);
  });
});
