import { matchesShortcut, type PressedKey } from './shortcut.rules';

const press = (key: string, ...modifiers: string[]): PressedKey => ({
  key,
  shiftKey: modifiers.includes('shift'),
  ctrlKey: modifiers.includes('ctrl'),
  altKey: modifiers.includes('alt'),
  metaKey: modifiers.includes('meta'),
});

describe('matchesShortcut', () => {
  it.each([
    ['a', press('a'), true],
    ['a', press('b'), false],
    ['a', press('A', 'shift'), false],
    // Caps lock.
    ['a', press('A'), true],
    ['a', press('a', 'ctrl'), false],
    ['a', press('a', 'alt'), false],
    ['a', press('a', 'meta'), false],
    ['shift+e', press('E', 'shift'), true],
    ['shift+e', press('e'), false],
    ['?', press('?', 'shift'), true],
    ['?', press('?'), true],
    ['Escape', press('Escape'), true],
  ])('%p and %p: %p', (keys, pressed, expected) => {
    expect(matchesShortcut(keys, pressed)).toBe(expected);
  });
});
