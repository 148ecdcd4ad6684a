import type { OpenAPIObject } from '@nestjs/swagger';

/** An operation of a path, with the extensions that this service adds. */
export type Operation = NonNullable<OpenAPIObject['paths'][string]['get']> & {
  'x-minimum-role'?: string;
  'x-rate-limit'?: string;
};

const METHODS = ['get', 'head', 'post', 'put', 'patch', 'delete'] as const;

/** The operations of these path items, in the document's order. */
export const operationsOf = (paths: OpenAPIObject['paths'] = {}): Operation[] =>
  Object.values(paths).flatMap((path) => METHODS.flatMap((method) => path[method] ?? []));
