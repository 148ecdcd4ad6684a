import { compare } from './figures';

describe('a figure compared with the period before', () => {
  it.each([
    ['a share that rises', { kind: 'share', good: 'up' }, 0.9, 0.8, 'up', 'better'],
    ['a share that falls', { kind: 'share', good: 'up' }, 0.7, 0.8, 'down', 'worse'],
    ['a wait that falls', { kind: 'seconds', good: 'down' }, 10, 20, 'down', 'better'],
    ['a wait that rises', { kind: 'seconds', good: 'down' }, 21, 20, 'up', 'worse'],
    ['a number that is neither good nor bad', { kind: 'count', good: null }, 5, 3, 'up', null],
    ['a difference that is not seen', { kind: 'seconds', good: 'down' }, 20.3, 20, 'same', null],
  ] as const)('%s', (_name, figure, now, before, direction, judgement) => {
    expect(compare(figure, now, before)).toEqual({ direction, judgement });
  });

  it.each([
    [null, 1],
    [1, null],
  ])('is not compared: %s and %s', (now, before) => {
    expect(compare({ kind: 'count', good: null }, now, before)).toBeNull();
  });
});
