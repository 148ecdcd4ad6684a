import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ERROR_CODES, type ErrorCode } from '../../src/platform/http/errors/error-codes';
import consoleTexts from '../../web/console/texts/errors-en';
import customerTexts from '../../web/customer/texts/en';

/** Only a fault of a program causes these. Both pages answer with their general sentence and the number of the request. */
const FAULTS: ErrorCode[] = [
  'bad_request',
  'expectation_failed',
  'internal_error',
  'invalid_gateway_token',
  'length_is_known',
  'method_not_allowed',
  'offset_conflict',
  'precondition_failed',
  'range_not_satisfiable',
  'tus_version',
  'unknown_event',
  'unknown_field',
  'unsupported_media_type',
];

/** Only customers get these. */
const OF_CUSTOMERS: ErrorCode[] = [
  'already_rated',
  'callback_disabled',
  'callback_invited',
  'callback_limit',
  'invalid_link',
  'link_cancelled',
  'link_expired',
  'link_not_yet_valid',
  'link_used',
  'not_requested',
  'rating_closed',
  'rating_token_required',
  'taken_over',
  'too_many_files',
  'too_many_waiting',
];

/** Customers and staff get these. */
const OF_BOTH: ErrorCode[] = [
  'call_erased',
  'chat_full',
  'department_closed',
  'idempotency_key_reused',
  'invalid_state',
  'invalid_transition',
  'not_completed',
  'not_found',
  'queue_full',
  'rate_limited',
  'tenant_suspended',
  'token_expired',
  'token_invalid',
  'unauthenticated',
  'unavailable',
  'validation_failed',
];

/** Codes that have a screen of their own on the customer's page or make it join again. */
const WITHOUT_SENTENCE: ErrorCode[] = [
  'department_closed',
  'idempotency_key_reused',
  'queue_full',
  'taken_over',
];

/** What the customer's page may get, but causes only by a fault. */
const FAULTS_OF_CUSTOMERS: ErrorCode[] = ['forbidden'];

/** Only a file that is sent in the chat is answered so, which has sentences of its own. */
const OF_CUSTOMERS_FILES: ErrorCode[] = ['payload_too_large', 'plan_limit'];

/** What the pages find out themselves. */
const OF_PAGES = ['disconnected', 'network', 'timeout'];

describe('the console', () => {
  const { other: _other, request: _request, ...sentences } = consoleTexts;

  it('has a sentence for every code that staff may get', () => {
    const others = new Set<ErrorCode>([...FAULTS, ...OF_CUSTOMERS]);
    const expected = [...ERROR_CODES.filter((code) => !others.has(code)), ...OF_PAGES];
    expect(Object.keys(sentences).toSorted()).toEqual(expected.toSorted());
  });
});

describe("the customer's page", () => {
  const known = new Set<string>([
    ...Object.keys(customerTexts.errors),
    ...Object.keys(customerTexts.problem),
    ...WITHOUT_SENTENCE,
  ]);

  it('knows every code that customers may get', () => {
    expect([...OF_CUSTOMERS, ...OF_BOTH].filter((code) => !known.has(code))).toEqual([]);
  });

  it('knows every code that the documented requests of customers are answered with', () => {
    const expected = new Set<string>([...known, ...FAULTS, ...FAULTS_OF_CUSTOMERS, ...OF_CUSTOMERS_FILES]);
    const documented = codesOfCustomerRequests();
    expect(documented).toContain('link_used');
    expect(documented.filter((code) => !expected.has(code))).toEqual([]);
  });
});

interface Response {
  $ref?: string;
  description?: string;
  content?: { 'application/json'?: { example?: { errors?: { code?: string } } } };
}

/** The codes in the examples and, in backticks, in the descriptions of the failures. */
function codesOfCustomerRequests(): string[] {
  const { paths, components } = JSON.parse(readFileSync(join(__dirname, '../../openapi.json'), 'utf8')) as {
    paths: Record<string, Record<string, { responses: Record<string, Response> }>>;
    components: { responses: Record<string, Response> };
  };
  const responses = Object.entries(paths)
    .filter(([path]) => path.startsWith('/api/v1/call/'))
    .flatMap(([, operations]) => Object.values(operations))
    .flatMap((operation) => Object.entries(operation.responses))
    .filter(([status]) => status >= '400')
    .map(([, response]) => components.responses[response.$ref?.split('/').at(-1) ?? ''] ?? response);
  const codes = responses.flatMap(({ description = '', content }) => [
    content?.['application/json']?.example?.errors?.code ?? [],
    ...[...description.matchAll(/`(\w+)`/g)].map(([, code]) => code ?? ''),
  ]);
  return [...new Set(codes.flat())].filter((code) => (ERROR_CODES as readonly string[]).includes(code));
}
