import { generateSecret, generateURI, verifySync } from 'otplib';

/** Seconds a code is good for (RFC 6238's recommendation, and what authenticator apps assume). */
export const STEP_SECONDS = 30;

const CODE = /^\d{6}$/;

/** A new shared secret: 160 random bits in Base32 (RFC 4226, 4). */
export const newTotpSecret = (): string => generateSecret();

/** Characters of company and account: more is not shown, and twelve times as many bytes may not fit into a QR code. */
const LONGEST_ISSUER = 40;
const LONGEST_ACCOUNT = 100;

/** The address that an authenticator app reads from the QR code. */
export const otpauthUrl = (secret: string, issuer: string, account: string): string =>
  generateURI({
    secret,
    // A colon parts company and account in the label, so neither may hold one.
    issuer: shortened(issuer.replaceAll(':', ' '), LONGEST_ISSUER),
    label: shortened(account, LONGEST_ACCOUNT),
  });

const shortened = (text: string, longest: number) => Array.from(text).slice(0, longest).join('').trim();

/**
 * The time step whose code this is: the present one, or a neighbour, for clocks that are off and slow
 * fingers (RFC 6238, 5.2). Steps up to `lastStep` are used up.
 * @returns undefined for a wrong code
 */
export function stepOfCode(
  secret: string,
  code: string,
  now: Date,
  lastStep: number | null,
): number | undefined {
  if (!CODE.test(code)) return undefined;
  const result = verifySync({
    secret,
    token: code,
    epoch: Math.floor(now.getTime() / 1000),
    epochTolerance: STEP_SECONDS,
  });
  if (!result.valid || !('timeStep' in result)) return undefined;
  return lastStep !== null && result.timeStep <= lastStep ? undefined : result.timeStep;
}
