import { DateTime } from 'luxon';
import { ApiError } from '../platform/http/errors/api-error';
import type { ErrorCode } from '../platform/http/errors/error-codes';

/** What decides whether customers can join through a link. */
export interface LinkState {
  cancelled_at: Date | null;
  max_uses: number | null;
  use_count: number;
  expires_at: Date | null;
  valid_from: Date | null;
  /** False if the department is deactivated or was deleted. */
  has_active_department: boolean;
  is_suspended: boolean;
  /** The company's IANA time zone. */
  timezone: string;
}

const notFound = (code: ErrorCode, reason: string) =>
  new ApiError(404, code, `${reason} Ask the company for a new one.`);

/** 404 for a token that no link has. */
export const invalidLink = () => notFound('invalid_link', 'This link is not valid.');

/** 404 for a cancelled link, also one whose department is deactivated or was deleted. */
export const cancelledLink = () => notFound('link_cancelled', 'This link was cancelled.');

/** 404 with a code of its own: the link itself is valid. */
const tenantSuspended = () =>
  new ApiError(404, 'tenant_suspended', 'The service of this company is suspended. Try again later.');

/** 404 with the time from which the link is valid. @param zone the company's IANA time zone */
const linkNotYetValid = (from: Date, zone: string) => {
  const time = DateTime.fromJSDate(from, { zone }).toFormat("yyyy-MM-dd 'at' HH:mm");
  return new ApiError(404, 'link_not_yet_valid', `This link is not valid before ${time} (${zone}).`);
};

/**
 * Why customers cannot join through a link. The link's own state comes first, in the order of LINK_STATUS_SQL.
 * @returns undefined if they can
 */
export function linkError(link: LinkState, now: Date): ApiError | undefined {
  if (link.cancelled_at) return cancelledLink();
  if (link.max_uses !== null && link.use_count >= link.max_uses)
    return notFound('link_used', 'This link has been used already.');
  if (link.expires_at && link.expires_at <= now) return notFound('link_expired', 'This link has expired.');
  if (!link.has_active_department) return cancelledLink();
  if (link.is_suspended) return tenantSuspended();
  if (link.valid_from && link.valid_from > now) return linkNotYetValid(link.valid_from, link.timezone);
  return undefined;
}
