import { insertText } from './insert-text';

describe('insertText', () => {
  it.each([
    ['', 0, 0, 'New.', 4],
    ['Hello', 5, 5, 'Hello New.', 10],
    ['Hello ', 6, 6, 'Hello New.', 10],
    ['Hello you', 5, 5, 'Hello New. you', 10],
    ['Hello you', 6, 9, 'Hello New.', 10],
    ['you', 0, 0, 'New. you', 4],
  ])('into %p at %p to %p', (text, start, end, expected, position) => {
    expect(insertText(text, { start, end }, 'New.')).toEqual({ text: expected, position });
  });
});
