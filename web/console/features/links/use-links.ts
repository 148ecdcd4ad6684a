import type { components } from '../../../shared/api/client';

export type AccessLink = components['schemas']['AccessLinkDto'];
export type NewLink = components['schemas']['CreateAccessLinkDto'];
export type LinkStatus = components['schemas']['AccessLinkDto']['status'];

export const LINK_STATUSES: readonly LinkStatus[] = ['active', 'scheduled', 'used', 'expired', 'cancelled'];

/** The beginning of the keys of all queries about links. */
export const LINKS_KEY = ['links'];
