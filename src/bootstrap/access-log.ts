import { isIPv4, isIPv6 } from 'node:net';
import type { Request } from 'express';
import { PinoLogger } from 'nestjs-pino';
import type { Logger } from 'pino';
import { parseIpAddress } from '../platform/text/ip-address';

/** Requests of probes and scrapers every few seconds; metrics count their responses. */
const UNLOGGED_PATHS = /^\/(healthz|readyz|metrics)\b/;

/** Whether the request is neither a probe nor a scrape. */
export const isLogged = ({ originalUrl }: Request): boolean => !UNLOGGED_PATHS.test(originalUrl);

let logger: Logger | undefined;

/** Logs one line for a request that has ended. The line contains no secrets, so redaction is disabled for it. */
export function logRequest(request: Request, status: number, durationMs: number): void {
  if (!isLogged(request)) return;
  logger ??= PinoLogger.root.child({ context: 'Request' }, { redact: [] });
  logger[logLevelOf(status)]({
    request_id: request.request_id,
    trace_id: request.trace_id,
    method: request.method,
    url: redactUrl(request.originalUrl),
    status,
    network: networkOf(request.client_ip),
    duration_ms: Math.round(durationMs * 10) / 10,
  });
}

/** 503 is a temporary rejection and logged as a warning; other server errors are failures. */
function logLevelOf(status: number): 'info' | 'warn' | 'error' {
  if (status < 500) return 'info';
  return status === 503 ? 'warn' : 'error';
}

/**
 * Removes what may be secret or personal from a URL: the token of an access link in the path, and all values of the
 * query. Names are kept where they look like names.
 */
export function redactUrl(url: string): string {
  const at = url.indexOf('?');
  const path = at === -1 ? url : url.slice(0, at);
  const redactedPath = path.replace(
    /^((?:(?:\/api\/v1)?\/call|\/c)\/)(?!status\/|evaluate\/|cancel\/|resume|turn-credentials)[^/]+/i,
    '$1[token]',
  );
  if (at === -1) return redactedPath;
  const parameters = url.slice(at + 1).split('&');
  return `${redactedPath}?${parameters.map(redactParameter).join('&')}`;
}

const PARAMETER_NAME = /^[a-z_]{1,40}$/i;

function redactParameter(parameter: string): string {
  const name = parameter.slice(0, Math.max(0, parameter.indexOf('=')));
  return PARAMETER_NAME.test(name) ? `${name}=[redacted]` : '[redacted]';
}

/**
 * The network of a client for log lines, which must not identify a person: an IPv4 address without its last number, and the
 * first 48 bits of an IPv6 address, which is what a provider gives to a customer or more.
 * @returns undefined if the text is not an address
 */
export function networkOf(address = ''): string | undefined {
  const parsed = parseIpAddress(address)?.replace(/^::ffff:(?=[\d.]+$)/i, '');
  if (parsed === undefined) return undefined;
  if (isIPv4(parsed)) return parsed.replace(/\d+$/, '0/24');
  if (!isIPv6(parsed)) return undefined;
  const groups = expand(parsed.replace(/%.*$/, ''));
  return `${groups
    .slice(0, 3)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/48`;
}

/** The groups of an IPv6 address whose zeros may be abbreviated; at least three. */
function expand(address: string): string[] {
  const [before = '', after] = address.split('::');
  const groups = before === '' ? [] : before.split(':');
  return after === undefined ? groups : [...groups, '0', '0', '0'];
}
