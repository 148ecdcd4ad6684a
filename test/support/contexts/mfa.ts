import { generateSync } from 'otplib';
import type { Answer } from '../http/api';
import { expectStatus, type Member, PASSWORD, type TestTenant } from '../builders';
import type { TestApp } from '../test-app';

export const MFA = '/api/v1/users/me/mfa';

const STEP_SECONDS = 30;
const now = (test: TestApp) => Math.floor(test.clock.now().getTime() / 1000);

/** The time step (RFC 6238) at which the service is. */
export const stepOf = (test: TestApp): number => Math.floor(now(test) / STEP_SECONDS);

/** Moves to the beginning of a later time step: its code is new, and stays right while the test goes on. */
export function nextStep(test: TestApp, steps = 1): void {
  test.clock.advance((stepOf(test) + steps) * STEP_SECONDS + 1 - test.clock.now().getTime() / 1000);
}

/** What an app with this secret shows, `steps` away from the service's time. */
export const codeOf = (test: TestApp, secret: string, steps = 0): string =>
  generateSync({ secret, epoch: now(test) + steps * STEP_SECONDS });

/** A code that is right neither now nor in a neighbouring step. */
export function wrongCode(test: TestApp, secret: string): string {
  const right = [-1, 0, 1].map((steps) => codeOf(test, secret, steps));
  return ['000000', '111111', '222222', '333333'].find((code) => !right.includes(code)) ?? '';
}

export interface Authenticator {
  secret: string;
  recovery_codes: string[];
  /** What the app shows, `steps` away from the service's time. */
  code(steps?: number): string;
  wrong(): string;
}

/** Turns MFA on for the member, and moves to a step whose code is unused. */
export async function enrol(test: TestApp, { api }: Member): Promise<Authenticator> {
  const answer = await api.post(MFA);
  expectStatus(answer, 200);
  const { secret } = answer.body.data;
  const confirmed = await api.post(`${MFA}/confirm`, { code: codeOf(test, secret) });
  expectStatus(confirmed, 200);
  nextStep(test);
  return {
    secret,
    recovery_codes: confirmed.body.data.recovery_codes,
    code: (steps) => codeOf(test, secret, steps),
    wrong: () => wrongCode(test, secret),
  };
}

export interface Enrolled {
  member: Member;
  app: Authenticator;
}

export async function enrolledMember(test: TestApp, tenant: TestTenant): Promise<Enrolled> {
  const member = await tenant.member();
  return { member, app: await enrol(test, member) };
}

export const logIn = ({ api }: TestApp, { slug }: TestTenant, { email }: Member): Promise<Answer> =>
  api.post('/api/auth/login', { tenant: slug, email, password: PASSWORD });

/** Logs in with the password. @returns the mfa_token */
export async function challenge(test: TestApp, tenant: TestTenant, member: Member): Promise<string> {
  const answer = await logIn(test, tenant, member);
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({ mfa_required: true, mfa_token: expect.stringMatching(/^[\w-]{43}$/) });
  return answer.body.mfa_token;
}

export const verify = ({ api }: TestApp, mfa_token: unknown, code: unknown): Promise<Answer> =>
  api.post('/api/auth/mfa/verify', { mfa_token, code });

/** How many answers there are of each status. */
export function statuses(answers: Answer[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

/** What the database knows of the member's ways in. */
export interface Stored {
  mfa_enabled: boolean;
  mfa_secret: string | null;
  /** bigint, hence text. */
  mfa_last_step: string | null;
  last_login_at: Date | null;
  /** Sessions that have not been ended. */
  sessions: number;
  /** The tries of each attempt. */
  attempts: number[];
  codes: number;
  used_codes: number;
  /** Why logins were refused, oldest first. */
  refusals: string[];
}

export async function storedOf({ db }: TestApp, { id }: Member): Promise<Stored> {
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
