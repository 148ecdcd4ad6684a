import { TokensService } from '../../../src/platform/tokens/tokens.service';
import type { Json } from './api';
import type { Member } from '../builders';
import type { TestApp } from '../test-app';

/** The claims of a JSON Web Token. */
const claimsOf = (token: string): Json =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());

/** Signs a token of the member's session, or of `session`, that expires after `ttl` seconds. */
export function tokenFor(test: TestApp, member: Member, ttl: number, session?: string): string {
  const { sub, tid, sid } = claimsOf(member.token);
  return test.get(TokensService).sign('staff', { sub, tid, sid: session ?? sid }, ttl);
}
