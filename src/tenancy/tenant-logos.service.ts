import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Clock } from '../platform/clock/clock';
import { Database } from '../platform/database/database';
import { OnCommit } from '../platform/events/listeners';
import { notFound } from '../platform/http/errors/api-error';
import { RateLimiter } from '../platform/rate-limit/rate-limiter';
import { logoPath } from './logo-url';
import { resizeToPng } from './resize-to-png';
import { TenantUpdated } from './tenant.events';
import type { TenantDto } from './tenant.dto';
import { TenantSettingsService } from './tenant-settings.service';

const LOGO_SIDE_PIXELS = 512;
const CACHE_BYTES = 32 * 1024 * 1024;
/** How long other instances may serve a replaced logo, and all instances the logo of a suspended tenant. */
const CACHE_TTL_MS = 10_000;

interface LogoAddress {
  tenantId: string;
  hash: string;
}

const keyOf = ({ tenantId, hash }: LogoAddress): string => `${tenantId} ${hash}`;

/** Stores and serves uploaded logos. */
@Injectable()
export class TenantLogosService {
  /** A link sent to many customers causes many requests at once; concurrent ones share one read. */
  private readonly cache: LRUCache<string, Buffer, LogoAddress>;
  private lastRun: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly database: Database,
    private readonly settings: TenantSettingsService,
    private readonly rateLimiter: RateLimiter,
    clock: Clock,
  ) {
    this.cache = new LRUCache<string, Buffer, LogoAddress>({
      maxSize: CACHE_BYTES,
      sizeCalculation: (content) => content.length,
      ttl: CACHE_TTL_MS,
      ttlResolution: 0,
      perf: { now: () => clock.elapsedMs() },
      // A read in progress while the logo is replaced returns the old one but does not cache it.
      ignoreFetchAbort: true,
      fetchMethod: (_key, _stale, { context }) => this.readContent(context),
    });
  }

  /** @throws 422 for a file that is not an accepted picture; 429 for too many uploads in an hour */
  async replace(tenantId: string, picture: Buffer): Promise<TenantDto> {
    await this.rateLimiter.consume('logo', tenantId);
    const content = await this.runOneAtATime(() => resizeToPng(LOGO_SIDE_PIXELS, picture, 'file'));
    const hash = createHash('sha256').update(content).digest('hex');
    await this.database.tenant(tenantId, async (tx) => {
      await this.settings.change(tx, tenantId, () => ({ logo_url: logoPath(tenantId, hash) }));
      // The row still exists when the same picture is uploaded again.
      await tx.query(
        `INSERT INTO tenant_logos (tenant_id, content, content_hash, updated_at)
         SELECT id, $2, $3, updated_at FROM tenants WHERE id = $1 ON CONFLICT (tenant_id) DO NOTHING`,
        [tenantId, content, hash],
      );
    });
    return this.settings.get(tenantId);
  }

  async remove(tenantId: string): Promise<void> {
    await this.settings.update(tenantId, { logo_url: null });
  }

  /** The PNG with this hash. @throws 404 unless it is the current logo of an active tenant */
  async find(tenantId: string, hash: string): Promise<Buffer> {
    const address = { tenantId: tenantId.toLowerCase(), hash };
    const content = await this.cache.fetch(keyOf(address), { context: address });
    if (!content) throw notFound('Logo');
    return content;
  }

  @OnCommit(TenantUpdated)
  onUpdated({ tenant_id }: TenantUpdated): void {
    for (const key of this.cache.keys()) {
      if (key.startsWith(tenant_id)) this.cache.delete(key);
    }
  }

  private async readContent({ tenantId, hash }: LogoAddress): Promise<Buffer | undefined> {
    const [rows] = await this.database.readTenant<[{ content: Buffer }]>(tenantId, [
      {
        text: `SELECT l.content FROM tenant_logos l JOIN tenants t ON t.id = l.tenant_id
               WHERE l.tenant_id = $1 AND l.content_hash = $2 AND t.suspended_at IS NULL`,
        values: [tenantId, hash],
      },
    ]);
    return rows[0]?.content;
  }

  /** Decodes one picture at a time: decoding uses threads that logins need, and 160 MB for 40 megapixels. */
  private runOneAtATime<T>(work: () => Promise<T>): Promise<T> {
    const result = this.lastRun.then(work);
    this.lastRun = result.catch(() => {});
    return result;
  }
}
