import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Express } from 'express';
import proxyAddress from 'proxy-addr';
import {
  clientAddress,
  isLoopbackClient,
  type TrustFunction,
  trustFunction,
} from '../../platform/rate-limit/client-address';
import { parseIpAddress } from '../../platform/text/ip-address';

/** Connections without a valid token, and refused tokens, a minute and client address. */
const MAX_FAILURES = 100;
const MINUTE_MS = 60_000;

type Client = Parameters<typeof isLoopbackClient>[0];

/** The failures of one address in the current minute; connections that have not authenticated yet count. */
interface Failures {
  count: number;
}

/**
 * Limits how often an address fails to authenticate sockets. A connection counts from its first request until its
 * token is accepted, so that clients who do authenticate are never limited. Loopback is exempt.
 */
@Injectable()
export class ConnectionAttempts {
  private failures = new Map<string, Failures>();
  private endsAt = 0;
  /** The connections that count and have presented no token yet, by their first request. */
  private readonly pending = new WeakMap<IncomingMessage, Failures>();

  constructor(private readonly http: HttpAdapterHost) {}

  /** The client's address by the same rule as for HTTP: X-Forwarded-For counts only from proxies in TRUST_PROXY. */
  addressOf(request: IncomingMessage): string | null {
    return parseIpAddress(proxyAddress(request, this.trustFunction()));
  }

  /** The key of the client's address in counters (clientAddress). */
  networkOf(request: IncomingMessage): string {
    return clientAddress(this.clientOf(request));
  }

  /** A client opens a connection. @returns false if its address has failed too often */
  open(request: IncomingMessage): boolean {
    const failures = this.failuresOf(request);
    if (!failures) return true;
    if (failures.count >= MAX_FAILURES) return false;
    failures.count++;
    this.pending.set(request, failures);
    return true;
  }

  /** The connection no longer counts: its token was accepted, or could not be checked. */
  release(request: IncomingMessage): void {
    const failures = this.pending.get(request);
    if (failures) failures.count--;
    this.pending.delete(request);
  }

  /** A token of the connection was refused. @returns false if its address has failed too often */
  fail(request: IncomingMessage): boolean {
    // The first refused token of a connection is counted with the connection.
    if (this.pending.delete(request)) return true;
    const failures = this.failuresOf(request);
    if (!failures) return true;
    failures.count++;
    return failures.count <= MAX_FAILURES;
  }

  /** @returns undefined for loopback */
  private failuresOf(request: IncomingMessage): Failures | undefined {
    const client = this.clientOf(request);
    if (isLoopbackClient(client, this.trustFunction())) return undefined;
    const address = clientAddress(client);
    const now = performance.now();
    if (now >= this.endsAt) {
      this.failures = new Map();
      this.endsAt = now + MINUTE_MS;
    }
    const failures = this.failures.get(address) ?? { count: 0 };
    this.failures.set(address, failures);
    return failures;
  }

  private clientOf(request: IncomingMessage): Client {
    const { socket, headers } = request;
    return { ip: this.addressOf(request) ?? undefined, socket, headers } as Client;
  }

  private trustFunction(): TrustFunction {
    return trustFunction(this.http.httpAdapter.getInstance<Express>());
  }
}
