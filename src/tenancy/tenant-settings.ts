import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../platform/clock/clock';
import { CONFIG, type Config } from '../platform/config/config';
import { Database } from '../platform/database/database';
import type { Transaction } from '../platform/database/transaction';
import { changedFields } from '../platform/events/changed-fields';
import { EventBus } from '../platform/events/event-bus';
import { invalidField, notFound } from '../platform/http/errors/api-error';
import { absoluteLogoUrl, storedLogoUrl } from './logo-url';
import { canonicalLanguage, siteOrigins } from './settings.rules';
import { TenantUpdated } from './tenant.events';
import type { TenantDto, UpdateTenantDto } from './tenant.dto';
import { Tenant } from './tenant.entity';
import { Timezones } from './timezones';

const COLUMNS = `id, name, slug, logo_url, primary_color, language, timezone, restrict_attendants, mfa_required,
  allowed_sites, recording_retention_days, service_level_seconds, inserted_at, updated_at`;

/** What a company decides about itself. */
@Injectable()
export class TenantSettings {
  constructor(
    private readonly database: Database,
    private readonly events: EventBus,
    private readonly timezones: Timezones,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** @throws 404 */
  async get(tenantId: string): Promise<TenantDto> {
    const [rows] = await this.database.readTenant<[TenantDto]>(tenantId, [
      { text: `SELECT ${COLUMNS} FROM tenants WHERE id = $1`, values: [tenantId] },
    ]);
    const tenant = rows[0];
    if (!tenant) throw notFound('Tenant');
    return { ...tenant, logo_url: absoluteLogoUrl(tenant.logo_url, this.config.publicUrl) };
  }

  /** Changes the settings that are given and no others. @throws 404, 422 */
  async update(tenantId: string, input: UpdateTenantDto): Promise<TenantDto> {
    const { logo_url, ...settings } = await this.normalised(input);
    await this.database.tenant(tenantId, (tx) =>
      this.change(tx, tenantId, (present) => ({
        ...settings,
        logo_url: logo_url === undefined ? undefined : this.storedLogo(logo_url, present),
      })),
    );
    return this.get(tenantId);
  }

  /**
   * Writes those of the wanted settings that are new, behind the tenant's row lock: changes of other settings
   * at the same time stay. An uploaded logo goes with its address.
   * @throws 404
   */
  async change(
    tx: Transaction,
    tenantId: string,
    wanted: (present: Tenant) => Partial<Tenant>,
  ): Promise<void> {
    const tenants = tx.repository(Tenant);
    const present = await tenants.findOne({
      where: { id: tenantId },
      lock: { mode: 'for_no_key_update' },
    });
    if (!present) throw notFound('Tenant');
    const changes = wanted(present);
    const changed = changedFields(present, changes);
    if (changed.length === 0) return;
    const now = this.clock.now();
    await tenants.update({ id: tenantId }, { ...changes, updated_at: now });
    if (changed.includes('logo_url'))
      await tx.query('DELETE FROM tenant_logos WHERE tenant_id = $1', [tenantId]);
    await this.events.record(tx, new TenantUpdated(tenantId, tenantId, now.toISOString(), changed));
  }

  private storedLogo(given: string | null, { logo_url }: Tenant): string | null {
    return storedLogoUrl(given, logo_url, this.config.publicUrl);
  }

  private async normalised(input: UpdateTenantDto): Promise<UpdateTenantDto> {
    const { primary_color, language, timezone, allowed_sites } = input;
    return {
      ...input,
      primary_color: primary_color?.toLowerCase(),
      language: language && canonicalLanguage(language),
      allowed_sites: allowed_sites && siteOrigins(allowed_sites),
      timezone: timezone && (await this.timezoneName(timezone)),
    };
  }

  /** @throws 422 */
  private async timezoneName(timezone: string): Promise<string> {
    const name = await this.timezones.nameOf(timezone);
    if (name === undefined) {
      throw invalidField('timezone', 'must be the IANA name of a time zone, such as America/Sao_Paulo');
    }
    return name;
  }
}
