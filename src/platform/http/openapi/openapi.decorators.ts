import { applyDecorators, SetMetadata, type Type } from '@nestjs/common';
import { ApiExtraModels, ApiResponse, getSchemaPath } from '@nestjs/swagger';
import type { ErrorCode } from '../errors/error-codes';
import { PageMeta } from '../lists/pagination';

/** The class of what a route answers. */
export const ANSWER = Symbol('ANSWER');

interface ResponseOptions {
  /** 200 by default. */
  status?: number;
  /** Whether `data` is an array. */
  list?: boolean;
  description?: string;
  /** The class of `meta`, if the response has one. */
  meta?: Type;
  /** The class of `meta`, if some responses have one. */
  optionalMeta?: Type;
}

/** Documents a response of the form `{"data": <dto>}`, or `{"data": <dto>, "meta": <meta>}`. */
export function ApiData(dto: Type, options: ResponseOptions = {}) {
  const { status = 200, list = false, description = '', optionalMeta } = options;
  const meta = options.meta ?? optionalMeta;
  const item = { $ref: getSchemaPath(dto) };
  const data = list ? { type: 'array', items: item } : item;
  const properties = { data, ...(meta ? { meta: { $ref: getSchemaPath(meta) } } : {}) };
  return applyDecorators(
    SetMetadata(ANSWER, dto),
    ApiExtraModels(dto, ...(meta ? [meta] : [])),
    ApiResponse({
      status,
      description,
      schema: { type: 'object', required: optionalMeta ? ['data'] : Object.keys(properties), properties },
    }),
  );
}

/** Documents a page of a list: `{"data": [<dto>…], "meta": <PageMeta>}`. */
export function ApiPage(dto: Type) {
  return ApiData(dto, { list: true, meta: PageMeta });
}

/**
 * Documents a failure that is specific to a route, or its description; see openapi-failures.ts for the usual ones.
 * @param code the most likely error code of this route, shown as the example with `detail`
 */
export function ApiFailure(
  status: number,
  description: string,
  code?: ErrorCode,
  detail = `${description}.`,
) {
  const content = { 'application/json': { example: { errors: { detail, code } } } };
  return ApiResponse(code ? { status, description, content } : { status, description });
}
