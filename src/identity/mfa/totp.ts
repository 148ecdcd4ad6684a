import { generateSecret, generateURI, verifySync } from 'otplib';

/** Seconds per time step: RFC 6238's recommendation, which authenticator apps assume. */
export const STEP_SECONDS = 30;

const CODE = /^\d{6}$/;

/** A new shared secret: 160 random bits in Base32 (RFC 4226, 4). */
export const newTotpSecret = (): string => generateSecret();

/** In characters. Each can take twelve bytes in the URL, which has to fit into a QR code. */
const MAX_ISSUER_LENGTH = 40;
const MAX_ACCOUNT_LENGTH = 100;

/** The otpauth URL that an authenticator app reads from the QR code. */
export const otpauthUrl = (secret: string, issuer: string, account: string): string =>
  generateURI({
    secret,
    // A colon separates issuer and account in the label, so the issuer must not contain one.
    issuer: truncate(issuer.replaceAll(':', ' '), MAX_ISSUER_LENGTH),
    label: truncate(account, MAX_ACCOUNT_LENGTH),
  });

const truncate = (text: string, longest: number) => Array.from(text).slice(0, longest).join('').trim();

/**
 * The time step to which the code belongs: the current one or, to tolerate clock drift and slow typing, one
 * of its neighbours (RFC 6238, 5.2).
 * @param lastStep the latest step whose code was used; its code and earlier ones are rejected
 * @returns undefined for a wrong code
 */
export function findTimeStep(
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
