// Limits of the target that a load test meets, as sentences that name the variable to raise.

const PUBLIC = ['PUBLIC_RATE_LIMIT', 'requests of customers a minute and address'];
const AUTH = ['AUTH_ADDRESS_RATE_LIMIT', 'logins a minute and address'];
const API = ['API_RATE_LIMIT', 'requests a minute and user'];

/** The first pattern that the path matches. */
const RATES = [
  [/^\/api\/auth\//, AUTH],
  [/^\/api\/(signup|v1\/call)\//, PUBLIC],
  [/^\/api\//, API],
];

/**
 * @param path of the request
 * @param code of the error in the body
 * @returns what limits the test and what to do, or undefined if this is no limit
 */
export function limitSentence(path, status, code, retryAfter) {
  if (status === 429 && code !== 'too_many_uploads') {
    const [variable, meaning] = RATES.find(([pattern]) => pattern.test(path))?.[1] ?? API;
    const wait = retryAfter ? ` It asks to wait ${retryAfter} s.` : '';
    return `The target limits ${meaning} (429).${wait} Raise ${variable} there for the time of the test.`;
  }
  if (code === 'too_many_waiting') {
    return 'The target limits the customers who wait from one address. Raise QUEUE_MAX_PER_ADDRESS there for the time of the test.';
  }
  if (code === 'plan_limit') {
    return "The company's plan has fewer agents or calls. Use a larger one: tenant set-plan <tenant> enterprise.";
  }
  if (code === 'rate_limited') {
    return 'The target limits the events of a socket. Raise SOCKET_RATE_LIMIT there for the time of the test.';
  }
  return undefined;
}
