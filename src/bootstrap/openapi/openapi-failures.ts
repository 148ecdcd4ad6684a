import type { ErrorCode } from '../../platform/http/errors/error-codes';
import type { Operation } from './openapi-operation';
import { RATE_LIMIT_REFS } from './openapi-rate-limits';

/** The body of every failure, as error.filter.ts sends it. */
export const ERROR_SCHEMA = {
  type: 'object',
  required: ['errors'],
  properties: {
    errors: {
      type: 'object',
      required: ['detail', 'code'],
      properties: {
        detail: { type: 'string', description: 'A sentence for people' },
        code: { type: 'string', description: 'An identifier for programs' },
        fields: {
          type: 'object',
          description: 'Only for validation errors: the problems of each field',
          additionalProperties: { type: 'array', items: { type: 'string' } },
        },
        opens_at: {
          type: ['string', 'null'],
          format: 'date-time',
          description: 'Only for department_closed: when the department opens; null if it never does',
        },
      },
    },
  },
};

interface Failure {
  description: string;
  code: ErrorCode;
  detail: string;
  fields?: Record<string, string[]>;
}

const FAILURES: Record<string, Failure> = {
  400: { description: 'Malformed request', code: 'bad_request', detail: 'Bad parameter: id must be a UUID.' },
  401: {
    description: 'Not authenticated',
    code: 'unauthenticated',
    detail: 'A valid access token is required.',
  },
  403: { description: 'Not allowed', code: 'forbidden', detail: 'This needs the role supervisor.' },
  404: { description: 'Not found', code: 'not_found', detail: 'Call not found.' },
  413: {
    description: 'Body too large',
    code: 'payload_too_large',
    detail: 'The request body is larger than this endpoint takes.',
  },
  415: {
    description: 'Another Content-Type than the operation takes, or an unsupported Content-Encoding',
    code: 'unsupported_media_type',
    detail: 'Send the body as JSON, with the header Content-Type: application/json.',
  },
  422: {
    description: 'Invalid data or state',
    code: 'validation_failed',
    detail: 'Some fields are not valid.',
    fields: { name: ['is required'] },
  },
  429: {
    description: 'Too many requests; Retry-After is the number of seconds to wait',
    code: 'rate_limited',
    detail: 'Too many requests. Try again in 12 seconds.',
  },
  500: {
    description: 'Internal error',
    code: 'internal_error',
    detail: 'Something went wrong on our side.',
  },
  503: {
    description: 'Busy or restarting; Retry-After is the number of seconds to wait',
    code: 'unavailable',
    detail: 'The service is busy. Try again in a moment.',
  },
};

const RETRY_AFTER = {
  'Retry-After': { description: 'Seconds to wait', schema: { type: 'integer' as const, example: 12 } },
};

const CHALLENGE = {
  'WWW-Authenticate': {
    description: 'The scheme, and invalid_token if a token was sent (RFC 6750)',
    schema: { type: 'string' as const, example: 'Bearer error="invalid_token"' },
  },
};

const errorContent = (example: unknown) => ({
  'application/json': { schema: { $ref: '#/components/schemas/Error' }, example },
});

const headersOf = (status: string) => {
  if (status === '401') return { headers: CHALLENGE };
  if (status === '429') return { headers: { ...RETRY_AFTER, ...RATE_LIMIT_REFS } };
  return status === '503' ? { headers: RETRY_AFTER } : {};
};

const nameOf = (status: string): string => `Failure${status}`;

/** The failures of many operations, as components. */
export const FAILURE_RESPONSES = Object.fromEntries(
  Object.entries(FAILURES).map(([status, { description, ...errors }]) => [
    nameOf(status),
    { description, content: errorContent({ errors }), ...headersOf(status) },
  ]),
);

/** Adds the failures that follow from the kind of operation, and the body of every failure. */
export function describeFailures(operation: Operation): void {
  const { responses } = operation;
  for (const status of expectedStatuses(operation)) responses[status] ??= { description: '' };
  for (const [status, response] of Object.entries(responses)) {
    if (status < '400' || !response || '$ref' in response) continue;
    const example: unknown = response.content?.['application/json']?.example;
    const common = FAILURES[status];
    if (common && !response.description && example === undefined) {
      responses[status] = { $ref: `#/components/responses/${nameOf(status)}` };
      continue;
    }
    const { description, ...errors } = common ?? { description: '' };
    response.description ||= description;
    response.content = errorContent(example ?? { errors });
    Object.assign(response, headersOf(status));
  }
}

function expectedStatuses(operation: Operation): Set<string> {
  const { security, parameters = [], requestBody } = operation;
  const statuses = new Set(['500', '503']);
  if (operation['x-rate-limit'] !== 'none') statuses.add('429');
  const places = new Set((parameters as { in?: string }[]).map((parameter) => parameter.in));
  const schemes = (security ?? []).flatMap((requirement) => Object.keys(requirement));
  if (schemes.length > 0) statuses.add('401');
  // Staff may lack the role; customers have none.
  if (schemes.includes('access_token')) statuses.add('403');
  if (places.has('path')) statuses.add('400').add('404');
  if (places.has('query')) statuses.add('400');
  if (requestBody) statuses.add('400').add('413').add('415').add('422');
  return statuses;
}
