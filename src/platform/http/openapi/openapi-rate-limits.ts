import type { OpenAPIObject } from '@nestjs/swagger';
import { RATE_LIMIT_HEADERS } from '../../rate-limit/rate-limit.headers';
import type { Operation } from './openapi-failures';

type Header = NonNullable<NonNullable<OpenAPIObject['components']>['headers']>[string];

const header = (type: 'string' | 'integer', description: string, example: string | number): Header => ({
  description,
  schema: { type, example },
});

/** Described once, as components; operations refer to them. */
export const RATE_LIMIT_COMPONENTS: Record<(typeof RATE_LIMIT_HEADERS)[number], Header> = {
  'RateLimit-Policy': header(
    'string',
    'The allowances that count the request: name, quota `q`, window `w` in seconds (draft-ietf-httpapi-ratelimit-headers)',
    '"auth";q=5;w=60, "auth_address";q=30;w=60',
  ),
  RateLimit: header(
    'string',
    'What is left of each: remaining requests `r`, seconds to the reset `t` (draft-ietf-httpapi-ratelimit-headers)',
    '"auth";r=3;t=42, "auth_address";r=28;t=42',
  ),
  'RateLimit-Limit': header('integer', 'Quota of the allowance that is nearest to its end', 5),
  'RateLimit-Remaining': header('integer', 'Requests that are left of it', 3),
  'RateLimit-Reset': header('integer', 'Seconds until it begins anew', 42),
};

const REFERENCES = Object.fromEntries(
  RATE_LIMIT_HEADERS.map((name) => [name, { $ref: `#/components/headers/${name}` }]),
);

/** Names the operation's allowance, and adds the headers to its success and to its 429. */
export function describeRateLimit(operation: Operation & { 'x-rate-limit'?: string }): void {
  operation['x-rate-limit'] ??= 'api';
  if (operation['x-rate-limit'] === 'none') return;
  for (const [status, response] of Object.entries(operation.responses)) {
    if (!response || '$ref' in response || (status >= '400' && status !== '429')) continue;
    response.headers = { ...response.headers, ...REFERENCES };
  }
}
