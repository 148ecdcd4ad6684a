import { type ExecutionContext, Injectable } from '@nestjs/common';
import { ThrottlerGuard, type ThrottlerLimitDetail } from '@nestjs/throttler';
import type { Request, Response } from 'express';
import { ApiError } from '../http/api-error';
import type { AuthenticatedRequest } from '../http/principal';
import { routeMetadata } from '../http/route-metadata';
import { RATE_LIMIT, type RateLimitPolicy } from './rate-limit.decorator';

/** The counters behind each policy, by their names in RateLimitModule. */
const COUNTERS: Record<RateLimitPolicy, string[]> = {
  auth: ['auth', 'auth_address'],
  public: ['public'],
  gateway: ['gateway'],
  api: ['api'],
  none: [],
};

/** Counts requests against the allowance that their route declares. */
@Injectable()
export class RateLimitGuard extends ThrottlerGuard {
  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const policy = routeMetadata<RateLimitPolicy>(context, RATE_LIMIT) ?? 'api';
    for (const throttler of this.throttlers) {
      if (!throttler.name || !COUNTERS[policy].includes(throttler.name)) continue;
      const { limit, ttl } = throttler as { limit: number; ttl: number };
      const { getTracker, generateKey } = this.commonOptions as Required<typeof this.commonOptions>;
      const count = { context, limit, ttl, throttler, blockDuration: ttl, getTracker, generateKey };
      if (!(await this.handleRequest(count))) return false;
    }
    return true;
  }

  /** `address` is the client's, an IPv6 one cut to its network. */
  protected override generateKey(context: ExecutionContext, address: string, name: string): string {
    const request = context.switchToHttp().getRequest<AuthenticatedRequest>();
    if (name === 'api') return request.user?.user_id ?? address;
    if (name === 'auth') return `${address} ${accountOf(request) ?? context.getHandler().name}`;
    return address;
  }

  protected override async throwThrottlingException(
    context: ExecutionContext,
    detail: ThrottlerLimitDetail,
  ): Promise<void> {
    const seconds = Math.max(1, detail.timeToBlockExpire);
    context.switchToHttp().getResponse<Response>().setHeader('Retry-After', seconds);
    throw new ApiError(429, 'rate_limited', `Too many requests. Try again in ${seconds} seconds.`);
  }
}

/** The account that an authentication request is about, if it names one. */
function accountOf(request: Request): string | undefined {
  const body = request.body as { email?: unknown; tenant?: unknown } | undefined;
  if (typeof body?.email !== 'string') return undefined;
  const tenant = typeof body.tenant === 'string' ? body.tenant : '';
  return `${tenant.trim().toLowerCase()} ${body.email.trim().toLowerCase()}`.slice(0, 600);
}
