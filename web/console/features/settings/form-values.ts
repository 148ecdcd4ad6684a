import type { Tenant } from './use-tenant';

type Kept = Pick<
  Tenant,
  | 'name'
  | 'primary_color'
  | 'language'
  | 'timezone'
  | 'country'
  | 'mfa_required'
  | 'restrict_attendants'
  | 'pause_after_missed_offer'
  | 'alert_nobody_available'
>;

export type SettingsValues = Kept & {
  allowed_sites: string[];
  pause_reasons: string[];
  /** Empty texts for none, as fields hold them. */
  privacy_url: string;
  privacy_text: string;
  recording_retention_days: number | '';
  service_level_seconds: number | '';
  alert_longest_wait: number | '';
};

export function toValues(tenant: Tenant): SettingsValues {
  const { name, primary_color, language, timezone, country, mfa_required, restrict_attendants } = tenant;
  const { pause_after_missed_offer, alert_nobody_available, service_level_seconds } = tenant;
  return {
    name,
    primary_color,
    language,
    timezone,
    country,
    mfa_required,
    restrict_attendants,
    pause_after_missed_offer,
    alert_nobody_available,
    service_level_seconds,
    allowed_sites: [...tenant.allowed_sites],
    pause_reasons: [...tenant.pause_reasons],
    privacy_url: tenant.privacy_url ?? '',
    privacy_text: tenant.privacy_text ?? '',
    recording_retention_days: tenant.recording_retention_days ?? '',
    alert_longest_wait: tenant.alert_longest_wait ?? '',
  };
}

/** @returns what the API takes; without a number the API leaves the service level as it was */
export function toBody(values: SettingsValues) {
  return {
    ...values,
    privacy_url: values.privacy_url || null,
    privacy_text: values.privacy_text || null,
    recording_retention_days: values.recording_retention_days === '' ? null : values.recording_retention_days,
    alert_longest_wait: values.alert_longest_wait === '' ? null : values.alert_longest_wait,
    service_level_seconds: values.service_level_seconds === '' ? undefined : values.service_level_seconds,
  };
}
