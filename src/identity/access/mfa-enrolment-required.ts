import { forbidden } from '../../platform/http/errors/api-error';

/** The 403 for users whose tenant requires MFA and who have not set it up yet. */
export const mfaEnrolmentRequired = () =>
  forbidden('Your company requires MFA: set it up with POST /api/v1/users/me/mfa.', 'mfa_enrolment_required');
