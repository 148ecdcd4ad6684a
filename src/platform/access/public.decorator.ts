import { SetMetadata } from '@nestjs/common';

export const PUBLIC = Symbol('PUBLIC');

/** Opens a route to callers without an access token. Say which @RateLimit it has, too. */
export const Public = () => SetMetadata(PUBLIC, true);
