import { levelOf } from './level-meter';

const samples = (amplitude: number) =>
  Float32Array.from({ length: 512 }, (_, i) => amplitude * (i % 2 ? 1 : -1));

describe('levelOf', () => {
  it.each([
    [0, 0],
    [0.0001, 0],
    [0.001, 0],
    [0.1, 2 / 3],
    [1, 1],
  ])('the amplitude %p is the level %p', (amplitude, level) => {
    expect(levelOf(samples(amplitude))).toBeCloseTo(level, 3);
  });
});
