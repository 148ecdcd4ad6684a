import { Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import type { Request } from 'express';
import { LRUCache } from 'lru-cache';
import { Clock } from '../../platform/clock/clock';
import { Database } from '../../platform/database/database';
import { OnCommit } from '../../platform/events/listeners';
import { runOutsideOfRequest, setConnectionKind } from '../../platform/logging/request-context';
import { clientAddress } from '../../platform/rate-limit/client-address';
import { RateLimiter } from '../../platform/rate-limit/rate-limiter';
import { isLinkToken, withoutPastedEnd } from '../../platform/text/link-token';
import { TenantUpdated } from '../../tenancy/tenant.events';

/** The companies that allow a site, by its origin. */
type Sites = ReadonlyMap<string, ReadonlySet<string>>;

/** Routes of customers: `/api/v1/call/<what>/<call id>`, `/api/v1/call/<token of a link>/<what>`, and some with neither. */
const CUSTOMER_ROUTE = /^\/api\/v1\/call\/([^/]+)(?:\/([^/]+))?\/?$/i;

/** Another instance may have changed them. */
const MAX_AGE_MS = 5000;

/** How long they are used while newer ones are being read. */
const MAX_STALE_MS = 60_000;

/** The company of a link or call never changes. */
const MAX_COMPANIES = 10_000;

/**
 * Says which sites may use the customers' routes of a company from a browser: its `allowed_sites`. A route that names neither
 * a link nor a call takes a token that only its holder has; it is open to the sites of all companies.
 */
@Injectable()
export class SiteOrigins {
  private sites: { since: number; map: Sites } | undefined;
  private reading: Promise<Sites> | undefined;
  /** Whether this instance has changed them since. */
  private isChanged = false;
  private readonly companies = new LRUCache<string, string>({ max: MAX_COMPANIES });

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly rateLimiter: RateLimiter,
  ) {}

  @OnCommit(TenantUpdated)
  onTenantUpdated({ changed }: TenantUpdated): void {
    if (!changed.includes('allowed_sites')) return;
    this.isChanged = true;
    this.reading = undefined;
  }

  /** False also if it cannot be found out: the request itself is answered nevertheless. */
  async allows(origin: string, request: Request): Promise<boolean> {
    const route = CUSTOMER_ROUTE.exec(request.path);
    if (!route) return false;
    setConnectionKind('public');
    try {
      const companies = (await this.readSites()).get(origin);
      if (!companies) return false;
      const [, first = '', second] = route;
      if (second === undefined) return true;
      const named = namedBy(first, second);
      const company = named && (await this.companyOf(named, request));
      return company !== undefined && companies.has(company);
    } catch {
      return false;
    }
  }

  /** The last ones, if newer ones cannot be read: otherwise sites would be refused while the database is busy. */
  private async readSites(): Promise<Sites> {
    const { sites, isChanged } = this;
    const ageMs = sites && !isChanged ? this.clock.elapsedMs() - sites.since : Infinity;
    if (sites && ageMs < MAX_AGE_MS) return sites.map;
    const reading = (this.reading ??= this.begin());
    if (!sites) return reading;
    const last = reading.catch(() => sites.map);
    return ageMs < MAX_STALE_MS ? sites.map : last;
  }

  /** All requests of the next seconds use the result, whatever becomes of the one that needs it first. */
  private begin(): Promise<Sites> {
    const since = this.clock.elapsedMs();
    const reading = runOutsideOfRequest(() => this.selectSites())
      .then((map) => {
        // Otherwise they were changed meanwhile.
        if (this.reading === reading) [this.sites, this.isChanged] = [{ since, map }, false];
        return map;
      })
      .finally(() => {
        if (this.reading === reading) this.reading = undefined;
      });
    return reading;
  }

  private async selectSites(): Promise<Sites> {
    const [rows] = await this.database.readSystem<[{ id: string; origin: string }]>([
      { text: "SELECT id, unnest(allowed_sites) AS origin FROM tenants WHERE allowed_sites <> '{}'" },
    ]);
    const sites = new Map<string, Set<string>>();
    for (const { id, origin } of rows) sites.set(origin, (sites.get(origin) ?? new Set()).add(id));
    return sites;
  }

  /** Preflights are not counted by the rate limits of routes, so lookups have a limit of their own. @throws 429 */
  private async companyOf({ table, column, value }: Named, request: Request): Promise<string | undefined> {
    const key = `${table} ${value}`;
    const known = this.companies.get(key);
    if (known) return known;
    await this.rateLimiter.consume('site_lookup', clientAddress(request));
    const [[row]] = await this.database.readSystem<[{ tenant_id: string }]>([
      { text: `SELECT tenant_id FROM ${table} WHERE ${column} = $1`, values: [value] },
    ]);
    if (row) this.companies.set(key, row.tenant_id);
    return row?.tenant_id;
  }
}

/** The record that an address names. */
interface Named {
  table: 'calls' | 'access_links';
  column: 'id' | 'token';
  value: string;
}

function namedBy(first: string, second: string): Named | undefined {
  if (isUUID(second)) return { table: 'calls', column: 'id', value: second };
  const token = withoutPastedEnd(decodeURIComponent(first));
  return isLinkToken(token) ? { table: 'access_links', column: 'token', value: token } : undefined;
}
