/**
 * Whether times can be shown in the zone. IANA adds zones each year: the service may send one that this browser, or the Node
 * that renders its page, is too old for.
 */
export function isKnownZone(zone: string): boolean {
  try {
    return Boolean(Intl.DateTimeFormat('en', { timeZone: zone }));
  } catch {
    return false;
  }
}

/** @returns the IANA zone of this device, or UTC if its browser has no name for it that it understands */
export function deviceZone(): string {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return isKnownZone(timeZone) ? timeZone : 'UTC';
}

/** @returns the zone, or that of this device if the zone is unknown here: what is shown must name it */
export const shownZone = (zone: string): string => (isKnownZone(zone) ? zone : deviceZone());
