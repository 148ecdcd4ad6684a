import { type ExecutionContext, Injectable } from '@nestjs/common';
import { ThrottlerGuard } from '@nestjs/throttler';
import type { Response } from 'express';
import { tooManyRequests } from '../http/errors/api-error';
import type { AuthenticatedRequest } from '../access/principal';
import { routeMetadata } from '../access/route-metadata';
import { accountKey } from './account-key';
import { clientAddress } from './client-address';
import { RATE_LIMIT, type RateLimitPolicy } from './rate-limit.decorator';
import {
  type CounterState,
  type Counter,
  rateLimitPolicyField,
  setRateLimitHeaders,
} from './rate-limit.headers';

/** The counters of each policy, by their names in RateLimitModule. */
const COUNTERS: Record<RateLimitPolicy, string[]> = {
  auth: ['auth', 'auth_address'],
  public: ['public'],
  page: ['page'],
  gateway: ['gateway'],
  asset: ['asset'],
  api: ['api'],
  none: [],
};

interface Policy {
  counters: Counter[];
  field: string;
}

/** Counts requests against the limit of their route and sends the remaining number in the headers. */
@Injectable()
export class RateLimitGuard extends ThrottlerGuard {
  private readonly policies = new Map<RateLimitPolicy, Policy>();

  override async onModuleInit(): Promise<void> {
    await super.onModuleInit();
    const known = this.throttlers as Counter[];
    for (const [policy, names] of Object.entries(COUNTERS)) {
      const counters = known.filter(({ name }) => names.includes(name));
      this.policies.set(policy as RateLimitPolicy, { counters, field: rateLimitPolicyField(counters) });
    }
  }

  /** @throws 429 */
  override async canActivate(context: ExecutionContext): Promise<boolean> {
    if (context.getType() !== 'http') return true;
    const { counters, field } = this.policyOf(context);
    const counts: CounterState[] = [];
    let isRefused = false;
    for (const counter of counters) {
      const { isBlocked, ...count } = await this.count(context, counter);
      counts.push(count);
      isRefused = isBlocked;
      if (isRefused) break;
    }
    const [first, ...others] = counts;
    if (!first) return true;
    setRateLimitHeaders(context.switchToHttp().getResponse<Response>(), field, [first, ...others]);
    if (isRefused) throw tooManyRequests((others.at(-1) ?? first).reset);
    return true;
  }

  private policyOf(context: ExecutionContext): Policy {
    const name = routeMetadata<RateLimitPolicy>(context, RATE_LIMIT) ?? 'api';
    const policy = this.policies.get(name);
    if (!policy) throw new Error(`Unknown rate limit policy ${name}`);
    return policy;
  }

  private async count(
    context: ExecutionContext,
    counter: Counter,
  ): Promise<CounterState & { isBlocked: boolean }> {
    const { name, limit, ttl } = counter;
    const key = keyOf(context, name);
    const { totalHits, timeToExpire, isBlocked } = await this.storageService.increment(
      key,
      ttl,
      limit,
      ttl,
      name,
    );
    return { name, limit, remaining: Math.max(0, limit - totalHits), reset: timeToExpire, isBlocked };
  }
}

/** The key of the counter. Its prefix keeps users, addresses and accounts apart. */
function keyOf(context: ExecutionContext, counter: string): string {
  const request = context.switchToHttp().getRequest<AuthenticatedRequest>();
  if (counter === 'api' && request.user) return `user ${request.user.user_id}`;
  const address = `address ${clientAddress(request)}`;
  if (counter !== 'auth') return address;
  const account = accountKey(context);
  return account === undefined
    ? `${address} route ${context.getClass().name}.${context.getHandler().name}`
    : `${address} account ${account}`;
}
