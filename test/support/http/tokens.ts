import { TokensService } from '../../../src/platform/tokens/tokens.service';
import type { Json } from './api';
import type { Member } from '../builders';
import type { TestApp } from '../test-app';

/** The claims inside a JSON Web Token. */
const claimsOf = (token: string): Json =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());

/** A token of the member's session, or of another, that runs out after `ttl` seconds. */
export function tokenFor(test: TestApp, who: Member, ttl: number, session?: string): string {
  const { sub, tid, sid } = claimsOf(who.token);
  return test.get(TokensService).sign('staff', { sub, tid, sid: session ?? sid }, ttl);
}
