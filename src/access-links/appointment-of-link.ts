import { isoTimestamp } from '../platform/database/columns';

/**
 * The appointment of a link as JSON: its first one, null without any.
 * @param tenantId and @param linkId expressions of the statement
 * @param further an item of jsonb_build_object, of `appointments a`
 */
export const appointmentOfLink = (tenantId: string, linkId: string, further: string): string => `(
  SELECT jsonb_build_object('title', a.title, 'starts_at', ${isoTimestamp('a.starts_at')},
    'ends_at', ${isoTimestamp('a.ends_at')}, ${further})
  FROM appointments a WHERE a.tenant_id = ${tenantId} AND a.access_link_id = ${linkId}
  ORDER BY a.starts_at LIMIT 1)`;

/** For `further`: whom the customer will talk to. */
export const AGENT_NAME = `'agent_name', (SELECT u.name FROM users u WHERE u.tenant_id = a.tenant_id AND u.id = a.user_id)`;
