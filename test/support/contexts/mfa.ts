import { generateSync } from 'otplib';
import type { Answer } from '../http/api';
import { expectStatus, type Member, PASSWORD, type TestTenant } from '../builders';
import type { TestApp } from '../test-app';

export const MFA_PATH = '/api/v1/users/me/mfa';

const STEP_SECONDS = 30;
const now = (test: TestApp) => Math.floor(test.clock.now().getTime() / 1000);

/** The current time step (RFC 6238) of the service. */
export const currentStep = (test: TestApp): number => Math.floor(now(test) / STEP_SECONDS);

/** Advances the clock to the beginning of a later time step, so that its code is unused and valid during the test. */
export function advanceSteps(test: TestApp, steps = 1): void {
  test.clock.advance((currentStep(test) + steps) * STEP_SECONDS + 1 - test.clock.now().getTime() / 1000);
}

/** The code of an authenticator with this secret, `steps` away from the service's time. */
export const codeOf = (test: TestApp, secret: string, steps = 0): string =>
  generateSync({ secret, epoch: now(test) + steps * STEP_SECONDS });

/** A code that is valid neither in the current nor in a neighbouring step. */
export function wrongCode(test: TestApp, secret: string): string {
  const validCodes = [-1, 0, 1].map((steps) => codeOf(test, secret, steps));
  return ['000000', '111111', '222222', '333333'].find((code) => !validCodes.includes(code)) ?? '';
}

/** The authenticator app of an enrolled member. */
export interface Authenticator {
  secret: string;
  recovery_codes: string[];
  /** The code `steps` away from the service's time. */
  code(steps?: number): string;
  wrongCode(): string;
}

/** Enables MFA for the member and advances the clock to a step whose code is unused. */
export async function enrol(test: TestApp, { api }: Member): Promise<Authenticator> {
  const answer = await api.post(MFA_PATH);
  expectStatus(answer, 200);
  const { secret } = answer.body.data;
  const confirmed = await api.post(`${MFA_PATH}/confirm`, { code: codeOf(test, secret) });
  expectStatus(confirmed, 200);
  advanceSteps(test);
  return {
    secret,
    recovery_codes: confirmed.body.data.recovery_codes,
    code: (steps) => codeOf(test, secret, steps),
    wrongCode: () => wrongCode(test, secret),
  };
}

/** A member with MFA enabled. */
export interface Enrolled {
  member: Member;
  app: Authenticator;
}

/** Creates a member with MFA enabled. */
export async function enrolledMember(test: TestApp, tenant: TestTenant): Promise<Enrolled> {
  const member = await tenant.member();
  return { member, app: await enrol(test, member) };
}

/** Logs in with the password. */
export const logIn = ({ api }: TestApp, { slug }: TestTenant, { email }: Member): Promise<Answer> =>
  api.post('/api/auth/login', { tenant: slug, email, password: PASSWORD });

/** Logs in a member who has MFA enabled with the password. @returns the mfa_token */
export async function requestMfaToken(test: TestApp, tenant: TestTenant, member: Member): Promise<string> {
  const answer = await logIn(test, tenant, member);
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({ mfa_required: true, mfa_token: expect.stringMatching(/^[\w-]{43}$/) });
  return answer.body.mfa_token;
}

/** Sends the second step of a login. */
export const verify = ({ api }: TestApp, mfa_token: unknown, code: unknown): Promise<Answer> =>
  api.post('/api/auth/mfa/verify', { mfa_token, code });

/** The number of responses per status. */
export function countByStatus(answers: Answer[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

/** What the database has stored about the member's login. */
export interface LoginState {
  mfa_enabled: boolean;
  mfa_secret: string | null;
  /** A bigint, which the driver returns as text. */
  mfa_last_step: string | null;
  last_login_at: Date | null;
  /** Sessions that have not been ended. */
  sessions: number;
  /** The number of codes that were tried, per mfa_token. */
  attempts: number[];
  codes: number;
  used_codes: number;
  /** The reasons of failed logins, oldest first. */
  refusals: string[];
}

/** Reads the stored state of a member's login. */
export async function loginStateOf({ db }: TestApp, { id }: Member): Promise<LoginState> {
  const { rows } = await db.query(
    `SELECT mfa_enabled, mfa_secret, mfa_last_step, last_login_at,
       (SELECT count(*)::int FROM sessions WHERE user_id = u.id AND revoked_at IS NULL) AS sessions,
       ARRAY(SELECT tries FROM mfa_attempts WHERE user_id = u.id ORDER BY expires_at) AS attempts,
       (SELECT count(*)::int FROM recovery_codes WHERE user_id = u.id) AS codes,
       (SELECT count(used_at)::int FROM recovery_codes WHERE user_id = u.id) AS used_codes,
       ARRAY(SELECT payload->>'reason' FROM domain_events
         WHERE subject_id = u.id AND type = 'login.failed' ORDER BY id) AS refusals
     FROM users u WHERE id = $1`,
    [id],
  );
  return rows[0];
}
