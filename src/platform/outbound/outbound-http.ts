import { answerBeginning } from './answer-beginning';
import { guardedLookup } from './guarded-lookup';
import { hostOf } from './host-name';
import { OutboundFailure, phraseOf } from './outbound-failure';
import { answerTo, openRequest } from './outbound-request';
import { type Resolve, resolveBySystem, resolverByDns } from './resolvers';
import { urlProblem } from './url-problem';
import { userAgent } from './user-agent';

const LIMIT_MS = 15_000;

/** Bytes of an answer's body that are read. */
const BODY_BYTES = 1024;

/** What came of a request. */
export interface Outcome {
  /** Null where no answer came. */
  response_status: number | null;
  /** Its first KiB; null where neither that much nor the whole of it came. */
  response_body: string | null;
  /** As it came. */
  retry_after: string | null;
  /** Why there is no whole answer, or that it was a redirect: a short phrase, without addresses. */
  error: string | null;
  duration_ms: number;
}

export interface OutboundOptions {
  /** In the spelling of `hostName`. */
  allowedPrivateHosts: readonly string[];
  /** For all of a request, from the name's lookup to the end of the answer. */
  limitMs?: number;
  /** For allowed private hosts. */
  resolvePrivate?: Resolve;
  /** For all others. */
  resolvePublic?: Resolve;
}

/**
 * Requests to addresses of the tenants' choice. They reach public addresses over https, and whatever else the
 * operator allows by the host's name.
 */
export class OutboundHttp {
  private readonly options: Required<OutboundOptions>;
  private readonly userAgent = userAgent();

  constructor(options: OutboundOptions) {
    this.options = {
      limitMs: LIMIT_MS,
      resolvePrivate: resolveBySystem,
      resolvePublic: resolverByDns(),
      ...options,
    };
  }

  /**
   * Sends a JSON body and never follows a redirect. Whatever the other side does is told, not thrown.
   * @param stop gives up at once
   * @throws TypeError for headers that HTTP has no room for
   */
  async post(
    url: string,
    body: string,
    headers: Record<string, string>,
    stop?: AbortSignal,
  ): Promise<Outcome> {
    const began = performance.now();
    const came = urlProblem(url, this.options.allowedPrivateHosts)
      ? { error: 'address not allowed' }
      : await this.exchange(new URL(url), body, headers, stop);
    const duration_ms = Math.round(performance.now() - began);
    return {
      response_status: null,
      response_body: null,
      retry_after: null,
      error: null,
      ...came,
      duration_ms,
    };
  }

  private async exchange(
    url: URL,
    body: string,
    headers: Record<string, string>,
    stop?: AbortSignal,
  ): Promise<Partial<Outcome>> {
    const { limitMs } = this.options;
    const came: Partial<Outcome> = {};
    const limit = AbortSignal.timeout(limitMs);
    const signal = stop ? AbortSignal.any([limit, stop]) : limit;
    const request = openRequest(url, this.withOurs(headers, body), this.lookupFor(url, signal), signal);
    try {
      const answer = await answerTo(request, body);
      const { statusCode: status = 0 } = answer;
      came.response_status = status;
      came.retry_after = answer.headers['retry-after'] ?? null;
      came.response_body = await answerBeginning(answer, BODY_BYTES);
      if (status >= 300 && status < 400) came.error = 'redirects are not followed';
    } catch (failure) {
      came.error = phraseOf(signal.aborted ? this.reasonOf(limit) : failure);
    } finally {
      request.destroy();
    }
    return came;
  }

  private reasonOf(limit: AbortSignal): OutboundFailure {
    const seconds = this.options.limitMs / 1000;
    return new OutboundFailure(limit.aborted ? `no answer within ${seconds} s` : 'given up');
  }

  private withOurs(headers: Record<string, string>, body: string) {
    return {
      ...headers,
      'user-agent': this.userAgent,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    };
  }

  private lookupFor(url: URL, signal: AbortSignal) {
    const { allowedPrivateHosts, resolvePrivate, resolvePublic } = this.options;
    const isAllowed = allowedPrivateHosts.includes(hostOf(url));
    return guardedLookup(isAllowed ? resolvePrivate : resolvePublic, isAllowed, signal);
  }
}
