import { SetMetadata } from '@nestjs/common';

export const ALLOWED_WHILE_ENROLLING = Symbol('ALLOWED_WHILE_ENROLLING');

/** Opens a route also to users whose tenant requires MFA and who have not set it up yet. */
export const AllowedWhileEnrolling = () => SetMetadata(ALLOWED_WHILE_ENROLLING, true);
