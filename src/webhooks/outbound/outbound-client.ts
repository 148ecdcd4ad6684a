import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import { SpanKind } from '@opentelemetry/api';
import { packageInfo } from '../../platform/config/package-info';
import { urlHost } from '../../platform/text/normalize-host';
import { traced, withTraceParent } from '../../platform/tracing/tracer';
import {
  describeFailure,
  openRequest,
  OutboundError,
  type OutboundMethod,
  readBeginning,
  sendRequest,
} from './outbound-request';
import { dnsResolver, guardedLookup, type Resolve, resolveWithSystem } from './public-address';
import { findUrlProblem } from './url-problem';

/** What the client may do. */
export interface OutboundPolicy {
  /** Hosts, spelled as by `normalizeHost`, that may have private addresses and be called over http. */
  allowedPrivateHosts: readonly string[];
  /** Milliseconds for a whole request, from the DNS lookup to the end of the response. */
  timeoutMs: number;
  /** Bytes of a response body that are read; the rest is cut. */
  maxBodyBytes: number;
}

export interface OutboundRequest {
  /** GET by default. */
  method?: OutboundMethod;
  /** `user-agent` and `content-length` are set by the client. */
  headers?: OutgoingHttpHeaders;
  body?: string | Buffer;
  /** Aborts the request. */
  signal?: AbortSignal | undefined;
}

export interface OutboundResponse {
  /** Null if no response head arrived. */
  status: number | null;
  /** Empty if no response head arrived. */
  headers: IncomingHttpHeaders;
  /** Null unless the body arrived whole, or as much of it as the policy reads. */
  body: Buffer | null;
  /**
   * Why the response is missing, incomplete or a redirect, in a short phrase without addresses; null for all
   * others.
   */
  error: string | null;
  durationMs: number;
}

/** Resolvers of host names; tests replace them. */
export interface OutboundResolvers {
  /** For allowed private hosts. */
  private: Resolve;
  /** For all other hosts. */
  public: Resolve;
}

/**
 * Sends HTTP requests out of the operator's network. It connects to public addresses over https only,
 * except for the hosts that the policy allows, so that a tenant's URL cannot reach internal services (SSRF).
 * Each request has a connection of its own, and redirects are never followed.
 */
export class OutboundClient {
  private readonly resolvers: OutboundResolvers;
  private readonly userAgent = userAgent();

  constructor(
    private readonly policy: OutboundPolicy,
    resolvers: Partial<OutboundResolvers> = {},
  ) {
    this.resolvers = { private: resolveWithSystem, public: dnsResolver(), ...resolvers };
  }

  /**
   * Failures of the network or the server are returned as `error`, not thrown.
   * @throws TypeError for header names or values that HTTP does not allow
   */
  async request(url: string, request: OutboundRequest = {}): Promise<OutboundResponse> {
    const startedAt = performance.now();
    const result = findUrlProblem(url, this.policy.allowedPrivateHosts)
      ? { error: 'address not allowed' }
      : await this.exchangeTraced(new URL(url), request);
    const durationMs = Math.round(performance.now() - startedAt);
    return { status: null, headers: {}, body: null, error: null, ...result, durationMs };
  }

  private exchangeTraced(url: URL, request: OutboundRequest): Promise<Partial<OutboundResponse>> {
    const name = request.method ?? 'GET';
    const attributes = { 'http.request.method': name, 'server.address': url.hostname };
    return traced({ name, kind: SpanKind.CLIENT, attributes }, async (span) => {
      const headers = withTraceParent(request.headers ?? {});
      const result = await this.exchange(url, { ...request, headers });
      if (result.status) span.setAttributes({ 'http.response.status_code': result.status });
      if (result.error) span.setAttributes({ 'error.type': result.error });
      return result;
    });
  }

  private async exchange(
    url: URL,
    { method = 'GET', headers = {}, body, signal: abort }: OutboundRequest,
  ): Promise<Partial<OutboundResponse>> {
    const result: Partial<OutboundResponse> = {};
    const timeout = AbortSignal.timeout(this.policy.timeoutMs);
    const signal = abort ? AbortSignal.any([timeout, abort]) : timeout;
    const request = openRequest(url, {
      method,
      headers: this.completeHeaders(headers, body),
      lookup: this.lookupFor(url, signal),
      signal,
    });
    try {
      const response = await sendRequest(request, body);
      const { statusCode: status = 0 } = response;
      result.status = status;
      result.headers = response.headers;
      result.body = await readBeginning(response, this.policy.maxBodyBytes);
      if (status >= 300 && status < 400) result.error = 'redirects are not followed';
    } catch (failure) {
      result.error = describeFailure(signal.aborted ? this.abortError(timeout) : failure);
    } finally {
      request.destroy();
    }
    return result;
  }

  private abortError(timeout: AbortSignal): OutboundError {
    const seconds = this.policy.timeoutMs / 1000;
    return new OutboundError(timeout.aborted ? `no complete response within ${seconds} s` : 'aborted');
  }

  private completeHeaders(headers: OutgoingHttpHeaders, body?: string | Buffer): OutgoingHttpHeaders {
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
    return { ...headers, 'user-agent': this.userAgent, ...length };
  }

  private lookupFor(url: URL, signal: AbortSignal) {
    const isAllowed = this.policy.allowedPrivateHosts.includes(urlHost(url));
    return guardedLookup(this.resolvers[isAllowed ? 'private' : 'public'], isAllowed, signal);
  }
}

/** The User-Agent of outgoing requests (RFC 9110, 10.1.5): name and version of this package. */
export function userAgent(): string {
  const { name, version } = packageInfo();
  return `${name}/${version}`;
}
