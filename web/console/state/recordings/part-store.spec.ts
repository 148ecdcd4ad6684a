import { keyOf, leftoverParts, nameOf, openPart } from './part-store';

const KEY = { user_id: 'u-1', call_id: 'c-1', started_at: 1_800_000_000_000, type: 'video/webm' };

describe('the name of a part', () => {
  it('says whose it is', () => {
    expect(keyOf(nameOf(KEY))).toEqual(KEY);
  });

  it.each(['', 'u_c', 'u_c_x_video-webm', 'notes.txt'])('is not %p', (name) => {
    expect(keyOf(name)).toBeUndefined();
  });
});

describe('a browser without an origin private file system', () => {
  it('keeps a part in memory', async () => {
    const part = await openPart(KEY);
    expect(part.isOnDisk).toBe(false);
    await part.append(new Blob(['a']));
    await part.append(new Blob(['b']));
    await expect((await part.content()).text()).resolves.toBe('ab');
    await part.keepUploadLocation('/tus/1');
    await expect(part.uploadLocation()).resolves.toBe('/tus/1');
    await expect(leftoverParts('u-1')).resolves.toEqual([]);
  });
});
