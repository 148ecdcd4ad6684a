import { SetMetadata } from '@nestjs/common';
import { forbidden } from '../../platform/http/errors/api-error';

export const ALLOWED_WHILE_ENROLLING = Symbol('WHILE_ENROLLING');

/** Open to somebody, too, whose tenant demands a second factor that they have yet to set up. */
export const AllowedWhileEnrolling = () => SetMetadata(ALLOWED_WHILE_ENROLLING, true);

/** 403 for everything else they ask for. */
export const mfaEnrolmentRequired = () =>
  forbidden('Your company demands MFA: set it up with POST /api/v1/users/me/mfa.', 'mfa_enrolment_required');
