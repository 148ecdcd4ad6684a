import { defaultRole } from './role-name';

describe('the role of a database', () => {
  it.each([
    ['video_queue', 'video_queue_service'],
    ['Calls "A"', 'Calls "A"_service'],
    ['d'.repeat(55), `${'d'.repeat(55)}_service`],
  ])('of %s is %s', (database, role) => {
    expect(defaultRole(database)).toBe(role);
  });

  it.each(['d'.repeat(56), 'd'.repeat(63), 'é'.repeat(31), `${'🎥'.repeat(15)}abc`])(
    'of %s, which is too long for a suffix, has 63 bytes at most and differs from that of a similar name',
    (database) => {
      const role = defaultRole(database);
      expect(Buffer.byteLength(role)).toBeGreaterThan(55);
      expect(Buffer.byteLength(role)).toBeLessThanOrEqual(63);
      expect(role).toMatch(/_[0-9a-f]{8}_service$/);
      expect(role).not.toContain('\uFFFD');
      expect(defaultRole(`${database.slice(0, -1)}z`)).not.toBe(role);
    },
  );
});
