import { Inject, Injectable } from '@nestjs/common';
import { AGENT_NAME, appointmentOfLink } from '../../access-links/appointment-of-link';
import type { LinkAppointmentDto } from '../../calls/customer/public-call.dto';
import { CONFIG, type Config } from '../../platform/config/config';
import { Database } from '../../platform/database/database';
import { absolutePictureUrl } from '../../platform/pictures/picture-url';

/** What the page of a link shows and allows, whatever the state of the link. */
export interface LinkCompany {
  name: string;
  logo_url: string | null;
  primary_color: string;
  /** BCP 47 */
  language: string;
  timezone: string;
  /** Origins that may show the page in a frame. */
  allowed_sites: string[];
  /** ISO 8601: when the link becomes or became valid; null if it always was. */
  valid_from: string | null;
  appointment: LinkAppointmentDto | null;
}

/** Reads the companies of links. */
@Injectable()
export class LinkCompanies {
  constructor(
    private readonly database: Database,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** @returns undefined for an unknown token */
  async ofToken(token: string): Promise<LinkCompany | undefined> {
    const [[company]] = await this.database.readSystem<[LinkCompany]>([
      {
        text: `SELECT t.name, t.logo_url, t.primary_color, t.language, t.timezone, t.allowed_sites, l.valid_from,
            ${appointmentOfLink('l.tenant_id', 'l.id', AGENT_NAME)} AS appointment
          FROM access_links l JOIN tenants t ON t.id = l.tenant_id WHERE l.token = $1`,
        values: [token],
      },
    ]);
    return company && { ...company, logo_url: absolutePictureUrl(company.logo_url, this.config.publicUrl) };
  }
}
