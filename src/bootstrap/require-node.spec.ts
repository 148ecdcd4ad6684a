import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isSupportedNode } from './require-node';

describe('isSupportedNode', () => {
  it.each([
    ['20.20.2', false],
    ['22.21.0', false],
    ['23.11.1', false],
    ['24.0.0', false],
    ['24.8.9', false],
    ['24.9.0', true],
    ['24.10.0', true],
    ['24.21.0', true],
    ['25.0.0', true],
    ['26.10.0', true],
    ['100.0.0', true],
    ['25.0.0-nightly20260101', true],
  ])('%s: %s', (version, expected) => {
    expect(isSupportedNode(version)).toBe(expected);
  });

  it('accepts exactly the versions that package.json asks for', () => {
    const file = readFileSync(join(__dirname, '../../package.json'), 'utf8');
    const { engines } = JSON.parse(file) as { engines: { node: string } };
    const [, major, minor] = /^>=(\d+)\.(\d+)$/.exec(engines.node)?.map(Number) ?? [];
    expect(isSupportedNode(`${major}.${minor}.0`)).toBe(true);
    expect(isSupportedNode(`${major}.${(minor ?? 0) - 1}.99`)).toBe(false);
  });
});
