import { permissionCase } from './permission.rules';

describe('permissionCase', () => {
  it.each([
    ['ok', 'ok', null],
    ['ok', 'off', null],
    ['refused', 'refused', { state: 'refused', device: 'both' }],
    ['refused', 'ok', { state: 'refused', device: 'microphone' }],
    ['ok', 'missing', { state: 'missing', device: 'camera' }],
    ['missing', 'refused', { state: 'refused', device: 'camera' }],
    ['in_use', 'in_use', { state: 'in_use', device: 'both' }],
    ['prompt', 'prompt', { state: 'prompt', device: 'both' }],
    ['prompt', 'missing', { state: 'prompt', device: 'microphone' }],
  ] as const)('microphone %s, camera %s', (audio, camera, expected) => {
    expect(permissionCase({ audio, camera })).toEqual(expected);
  });
});
