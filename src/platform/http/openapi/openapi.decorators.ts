import { applyDecorators, type Type } from '@nestjs/common';
import { ApiExtraModels, ApiResponse, getSchemaPath } from '@nestjs/swagger';
import { PageMeta } from '../lists/pagination';

interface AnswerOptions {
  status?: number;
  list?: boolean;
  description?: string;
  /** The class of what stands beside the data under `meta`. */
  meta?: Type;
}

/** Documents an answer of the form `{"data": <dto>}`, or with `meta` `{"data": <dto>, "meta": <meta>}`. */
export function ApiData(dto: Type, options: AnswerOptions = {}) {
  const { status = 200, list = false, description = '', meta } = options;
  const item = { $ref: getSchemaPath(dto) };
  const data = list ? { type: 'array', items: item } : item;
  const properties = { data, ...(meta ? { meta: { $ref: getSchemaPath(meta) } } : {}) };
  return applyDecorators(
    ApiExtraModels(dto, ...(meta ? [meta] : [])),
    ApiResponse({
      status,
      description,
      schema: { type: 'object', required: Object.keys(properties), properties },
    }),
  );
}

/** Documents one page of a list: `{"data": [<dto>…], "meta": {…}}`. */
export function ApiPage(dto: Type) {
  return ApiData(dto, { list: true, meta: PageMeta });
}

/**
 * Documents a failure that only some routes have; the usual ones are added to every route.
 * @param code of the error that this route is likeliest to answer, with its `detail`
 */
export function ApiFailure(status: number, description: string, code?: string, detail = `${description}.`) {
  const content = { 'application/json': { example: { errors: { detail, code } } } };
  return ApiResponse(code ? { status, description, content } : { status, description });
}
