import { newTotpSecret, otpauthUrl, STEP_SECONDS, findTimeStep } from './totp';

/** RFC 6238, appendix B: the SHA-1 secret, with the last six of the eight digits. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
const VECTORS: [number, string][] = [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
];

const at = (seconds: number) => new Date(seconds * 1000);

describe('findTimeStep', () => {
  it.each(VECTORS)('accepts the code of RFC 6238 at %d', (seconds, code) => {
    expect(findTimeStep(SECRET, code, at(seconds), null)).toBe(Math.floor(seconds / STEP_SECONDS));
  });

  it.each([
    ['accepts', 'one step early', -30, true],
    ['accepts', 'one step late', 30, true],
    ['rejects', 'two steps early', -60, false],
    ['rejects', 'two steps late', 60, false],
  ])('%s a code %s', (_verb, _when, offset, isAccepted) => {
    // The middle of a step.
    const step = Math.floor(1_111_111_120 / STEP_SECONDS);
    expect(findTimeStep(SECRET, '050471', at(1_111_111_120 + offset), null)).toBe(
      isAccepted ? step : undefined,
    );
  });

  it('rejects the last used code and earlier ones', () => {
    const step = Math.floor(59 / STEP_SECONDS);
    expect(findTimeStep(SECRET, '287082', at(59), step - 1)).toBe(step);
    expect(findTimeStep(SECRET, '287082', at(59), step)).toBeUndefined();
    expect(findTimeStep(SECRET, '287082', at(59), step + 1)).toBeUndefined();
  });

  it.each(['', '28708', '2870822', '28708a', ' 287082', '287083', '２８７０８２'])('rejects %p', (code) => {
    expect(findTimeStep(SECRET, code, at(59), null)).toBeUndefined();
  });
});

it('newTotpSecret returns 160 random bits', () => {
  expect(newTotpSecret()).toMatch(/^[A-Z2-7]{32}$/);
  expect(newTotpSecret()).not.toBe(newTotpSecret());
});

it('otpauthUrl contains company and account', () => {
  const url = new URL(otpauthUrl(SECRET, 'Açaí & Cia: São Paulo', 'ana+1@example.com'));
  expect(url.protocol).toBe('otpauth:');
  expect(url.searchParams.get('secret')).toBe(SECRET);
  expect(url.searchParams.get('issuer')).toBe('Açaí & Cia  São Paulo');
  expect(decodeURIComponent(url.href)).toContain('ana+1@example.com');
});

it('otpauthUrl fits into a QR code however long the names are', () => {
  const url = otpauthUrl(SECRET, '🏢'.repeat(127), `${'é'.repeat(64)}@${'ü'.repeat(180)}.example`);
  // Version 40 with the error correction M holds 2,331 bytes.
  expect(url.length).toBeLessThan(2331);
  expect(new URL(url).searchParams.get('issuer')).toBe('🏢'.repeat(40));
});
