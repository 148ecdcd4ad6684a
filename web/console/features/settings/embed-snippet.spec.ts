import { embedSnippet, isEmbeddable } from './embed-snippet';

const LINK = { max_uses: null, expires_at: null, customer_id: null };

describe('isEmbeddable', () => {
  it.each([
    [{}, true],
    [{ max_uses: 1 }, false],
    [{ expires_at: '2026-01-01T00:00:00Z' }, false],
    [{ customer_id: 'c' }, false],
  ])('with %j: %p', (change, expected) => {
    expect(isEmbeddable({ ...LINK, ...change })).toBe(expected);
  });
});

describe('embedSnippet', () => {
  it.each([
    ['https://calls.example.com/c/abc', 'https://calls.example.com/widget.js'],
    ['https://example.com/calls/c/abc', 'https://example.com/calls/widget.js'],
  ])('of %s loads %s', (url, script) => {
    expect(embedSnippet(url)).toBe(`<script src="${script}" data-link="abc" async></script>`);
  });
});
