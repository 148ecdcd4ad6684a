import { SetMetadata } from '@nestjs/common';

export const RESERVED_CONNECTION = Symbol('RESERVED_CONNECTION');

/** Lets a route or socket event use the reserved database connections: it belongs to a call in progress. */
export const ReservedConnection = () => SetMetadata(RESERVED_CONNECTION, true);
