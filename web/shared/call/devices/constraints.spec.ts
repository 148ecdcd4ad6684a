import { constraintsFor, nextCamera } from './constraints';

describe('constraintsFor', () => {
  it('asks for what is wanted only', () => {
    expect(constraintsFor({ audio: {} })).toEqual({
      audio: expect.objectContaining({ echoCancellation: true }) as unknown,
    });
    expect(constraintsFor({ camera: { deviceId: 'b' } })).toEqual({
      video: expect.objectContaining({ deviceId: { exact: 'b' }, width: { ideal: 1280 } }) as unknown,
    });
    expect(constraintsFor({ camera: { facingMode: 'environment' } })).toMatchObject({
      video: { facingMode: { ideal: 'environment' } },
    });
  });
});

describe('nextCamera', () => {
  const cameras = [{ deviceId: 'a' }, { deviceId: 'b' }, { deviceId: 'c' }];

  it.each([
    [{ facingMode: 'user' }, { facingMode: 'environment' }],
    [{ facingMode: 'environment' }, { facingMode: 'user' }],
    [{ deviceId: 'a' }, { deviceId: 'b' }],
    [{ deviceId: 'c' }, { deviceId: 'a' }],
    [{}, { deviceId: 'a' }],
  ])('after %j: %j', (current, next) => {
    expect(nextCamera(current, cameras)).toEqual(next);
  });

  it('is null if there is only one', () => {
    expect(nextCamera({ deviceId: 'a' }, [{ deviceId: 'a' }])).toBeNull();
  });
});
