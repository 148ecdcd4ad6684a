import { SetMetadata } from '@nestjs/common';

export const PUBLIC = Symbol('PUBLIC');

/** Opens a route to callers without an access token. Declare its @RateLimit as well. */
export const Public = () => SetMetadata(PUBLIC, true);
