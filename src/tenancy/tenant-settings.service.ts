import { Inject, Injectable } from '@nestjs/common';
import { RefreshingCache } from '../platform/cache/refreshing-cache';
import { Clock } from '../platform/clock/clock';
import { CONFIG, type Config } from '../platform/config/config';
import { Database } from '../platform/database/database';
import type { Transaction } from '../platform/database/transaction';
import { changedFields } from '../platform/events/record-updated';
import { EventBus } from '../platform/events/event-bus';
import { OnCommit } from '../platform/events/listeners';
import { invalidField, notFound } from '../platform/http/errors/api-error';
import { absolutePictureUrl } from './pictures/picture-url';
import { logoUrlToStore } from './logo-url';
import {
  canonicalCountry,
  canonicalLanguage,
  distinctPauseReasons,
  normalPrivacyUrl,
  siteOrigins,
} from './tenant-settings.rules';
import { TenantUpdated } from './tenant.events';
import type { TenantDto, UpdateTenantDto } from './tenant.dto';
import { Tenant } from './tenant.entity';
import { Timezones } from './timezones';

const COLUMNS = `id, name, slug, logo_url, primary_color, language, timezone, country, privacy_url, privacy_text,
  restrict_attendants, mfa_required, allowed_sites, recording_retention_days, service_level_seconds, pause_reasons, pause_after_missed_offer,
  alert_longest_wait, alert_nobody_available, inserted_at, updated_at`;

/** Below the 5 s after which a change is visible on every instance, even if a message between them is lost. */
const SETTINGS_TTL_MS = 4000;
/** Settings that are requested again and again are read at this age. */
const REFRESH_MS = 3000;

/** The settings that a tenant's managers can read and change. */
@Injectable()
export class TenantSettingsService {
  private readonly settings: RefreshingCache<TenantDto>;

  constructor(
    private readonly database: Database,
    private readonly events: EventBus,
    private readonly timezones: Timezones,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    this.settings = new RefreshingCache({
      max: 10_000,
      ttlMs: SETTINGS_TTL_MS,
      refreshMs: REFRESH_MS,
      clock,
      readAll: (tenantIds) => this.readAll(tenantIds),
    });
  }

  /** The settings, at most 4 s old. @throws 404 */
  async get(tenantId: string): Promise<TenantDto> {
    const tenant = await this.settings.read(tenantId);
    if (!tenant) throw notFound('Tenant');
    return { ...tenant, logo_url: absolutePictureUrl(tenant.logo_url, this.config.publicUrl) };
  }

  /** The settings have changed: they are read again, on this instance. */
  drop(tenantId: string): void {
    this.settings.delete(tenantId);
  }

  @OnCommit(TenantUpdated)
  onUpdated({ tenant_id }: TenantUpdated): void {
    this.drop(tenant_id);
  }

  /** Changes only the given settings. @throws 404, 422 */
  async update(tenantId: string, input: UpdateTenantDto): Promise<TenantDto> {
    const { logo_url, ...settings } = await this.normalize(input);
    await this.database.tenant(tenantId, (tx) =>
      this.change(tx, tenantId, (current) => ({
        ...settings,
        logo_url: logo_url === undefined ? undefined : this.logoToStore(logo_url, current),
      })),
    );
    return this.get(tenantId);
  }

  /**
   * Writes the settings that differ from the current ones under the tenant's row lock, so that parallel changes
   * of other settings are kept. Deletes the uploaded logo when logo_url changes.
   * @throws 404
   */
  async change(
    tx: Transaction,
    tenantId: string,
    changesOf: (current: Tenant) => Partial<Tenant>,
  ): Promise<void> {
    const tenants = tx.repository(Tenant);
    const current = await tenants.findOne({
      where: { id: tenantId },
      lock: { mode: 'for_no_key_update' },
    });
    if (!current) throw notFound('Tenant');
    const changes = changesOf(current);
    const changed = changedFields(current, changes);
    if (changed.length === 0) return;
    const now = this.clock.now();
    await tenants.update({ id: tenantId }, { ...changes, updated_at: now });
    if (changed.includes('logo_url'))
      await tx.query('DELETE FROM tenant_logos WHERE tenant_id = $1', [tenantId]);
    await this.events.record(tx, new TenantUpdated(tenantId, tenantId, now.toISOString(), changed));
  }

  private async readAll(tenantIds: string[]): Promise<Map<string, TenantDto>> {
    const [rows] = await this.database.readSystem<[TenantDto]>([
      { text: `SELECT ${COLUMNS} FROM tenants WHERE id = ANY ($1)`, values: [tenantIds] },
    ]);
    return new Map(rows.map((row) => [row.id, row]));
  }

  private logoToStore(given: string | null, { logo_url }: Tenant): string | null {
    return logoUrlToStore(given, logo_url, this.config.publicUrl);
  }

  private async normalize(input: UpdateTenantDto): Promise<UpdateTenantDto> {
    const { primary_color, language, timezone, country, privacy_url, allowed_sites, pause_reasons } = input;
    if (timezone && !(await this.timezones.isKnown(timezone))) {
      throw invalidField('timezone', 'must be the IANA name of a time zone, such as America/Sao_Paulo');
    }
    return {
      ...input,
      primary_color: primary_color?.toLowerCase(),
      language: language && canonicalLanguage(language),
      country: country && canonicalCountry(country),
      privacy_url: privacy_url && normalPrivacyUrl(privacy_url),
      allowed_sites: allowed_sites && siteOrigins(allowed_sites),
      pause_reasons: pause_reasons && distinctPauseReasons(pause_reasons),
    };
  }
}
