import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { AGENT_NAME, appointmentOfLink } from '../../access-links/appointment-of-link';
import { invalidLink } from '../../access-links/link-errors';
import { CustomerCallActions } from '../../calls/customer/customer-call-actions';
import type { LinkAppointmentDto, LinkValidationDto } from '../../calls/customer/public-call.dto';
import { Clock } from '../../platform/clock/clock';
import { CONFIG, type Config } from '../../platform/config/config';
import { Database } from '../../platform/database/database';
import { ConnectionLimitError } from '../../platform/database/connections/semaphore';
import { ApiError } from '../../platform/http/errors/api-error';
import { runShared } from '../../platform/logging/request-context';
import { absolutePictureUrl } from '../../tenancy/pictures/picture-url';

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

/** What the pages of a link are made of. It depends on the link alone: each visitor gets a page of their own from it. */
interface LinkPage {
  company: LinkCompany;
  /** Why the link is not valid, if it is not. */
  found: LinkValidationDto | ApiError;
}

/** More than are opened within MAX_AGE_MS. */
const MAX_PAGES = 1000;

/** Reads what the pages of links show. Requests within two seconds share one reading, so that a flood of them costs little. */
@Injectable()
export class LinkPages {
  /** A change, such as a cancelled link, is shown after this time at the latest. */
  protected readonly maxAgeMs: number = 2000;
  private readonly pages: LRUCache<string, { since: number; page: Promise<LinkPage> }>;

  constructor(
    private readonly database: Database,
    private readonly calls: CustomerCallActions,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    this.pages = new LRUCache({ max: MAX_PAGES });
  }

  /** @throws 404 for an unknown token */
  async of(token: string): Promise<LinkPage> {
    const known = this.shared(token);
    if (!known) return this.begin(token);
    try {
      return await known;
    } catch (error) {
      // The reading waited in the line of another client's address.
      if (!(error instanceof ConnectionLimitError)) throw error;
      return this.shared(token) ?? this.begin(token);
    }
  }

  private shared(token: string): Promise<LinkPage> | undefined {
    const known = this.pages.get(token);
    return known && this.clock.elapsedMs() - known.since < this.maxAgeMs ? known.page : undefined;
  }

  private begin(token: string): Promise<LinkPage> {
    const now = this.clock.elapsedMs();
    const entry = { since: now, page: runShared(() => this.read(token)) };
    this.pages.set(token, entry);
    entry.page.catch((error: unknown) => {
      const isUnknown = error instanceof ApiError && error.getStatus() === 404;
      if (!isUnknown && this.pages.peek(token) === entry) this.pages.delete(token);
    });
    return entry.page;
  }

  private async read(token: string): Promise<LinkPage> {
    const company = await this.readCompany(token);
    return { company, found: await this.calls.validate(token).catch(linkProblem) };
  }

  private async readCompany(token: string): Promise<LinkCompany> {
    const [[company]] = await this.database.readSystem<[LinkCompany]>([
      {
        text: `SELECT t.name, t.logo_url, t.primary_color, t.language, t.timezone, t.allowed_sites, l.valid_from,
            ${appointmentOfLink('l.tenant_id', 'l.id', AGENT_NAME)} AS appointment
          FROM access_links l JOIN tenants t ON t.id = l.tenant_id WHERE l.token = $1`,
        values: [token],
      },
    ]);
    if (!company) throw invalidLink();
    return { ...company, logo_url: absolutePictureUrl(company.logo_url, this.config.publicUrl) };
  }
}

/** Passes on why the link is not valid; the company can be shown beside it. @throws any other failure */
function linkProblem(error: unknown): ApiError {
  if (error instanceof ApiError && error.getStatus() === 404) return error;
  throw error;
}
