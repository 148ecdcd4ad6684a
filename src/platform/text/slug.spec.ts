import * as fc from 'fast-check';
import { freeSlug, slugOf } from './slug';

describe('slugOf', () => {
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
    expect(slugOf(name, 'fallback')).toBe(slug);
  });

  it.each(['', '   ', '!!!', '日本語', '🙂'])('%j has no letter of its own', (name) => {
    expect(slugOf(name, 'department')).toBe('department');
  });

  it('ends with a letter or digit, also where it was cut', () => {
    expect(slugOf(`${'a'.repeat(59)} tail`, 'x')).toBe('a'.repeat(59));
    expect(slugOf('b'.repeat(300), 'x')).toHaveLength(60);
  });

  it('is always a slug, and the slug of itself', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 100 }), (name) => {
        const slug = slugOf(name, 'fallback');
        expect(slug).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
        expect(slugOf(slug, 'other')).toBe(slug);
      }),
    );
  });
});

describe('freeSlug', () => {
  it.each([
    [[], 'sales'],
    [['sales'], 'sales-2'],
    [['sales', 'sales-2'], 'sales-3'],
    [['sales', 'sales-3'], 'sales-2'],
    [['sales-2'], 'sales'],
    [['Sales', 'sales-north'], 'sales'],
  ])('beside %j gives %j', (taken, slug) => {
    expect(freeSlug('sales', taken)).toBe(slug);
  });
});
