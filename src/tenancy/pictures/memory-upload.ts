import {
  applyDecorators,
  createParamDecorator,
  type ExecutionContext,
  UseInterceptors,
} from '@nestjs/common';
import { FileInterceptor } from '@nestjs/platform-express';
import { ApiBody, ApiConsumes } from '@nestjs/swagger';
import type { Request } from 'express';
import { missingFile } from '../../platform/http/errors/upload-errors';

/**
 * Limits for text fields that a form sends along with its file; they are ignored. The parser refuses the last of `parts`, so
 * there may be 20 fields and a file; parts without a name count only there.
 */
export const FORM_FIELD_LIMITS = { fields: 20, fieldSize: 10_000, parts: 22 };

/**
 * A route that receives one small file in memory, as `field` of a multipart/form-data body (RFC 7578). The upload is
 * aborted with 413 as soon as it exceeds `maxBytes`.
 */
export function MemoryUpload(field: string, maxBytes: number, description: string): MethodDecorator {
  const file = { type: 'string', format: 'binary', description, example: '(the file)' };
  return applyDecorators(
    UseInterceptors(
      FileInterceptor(field, { limits: { ...FORM_FIELD_LIMITS, fileSize: maxBytes, files: 1 } }),
    ),
    ApiConsumes('multipart/form-data'),
    ApiBody({ schema: { type: 'object', required: [field], properties: { [field]: file } } }),
  );
}

/** The content of the file of a MemoryUpload, as a parameter of the handler. @throws 415 or 422 without a file */
export const UploadedContent = createParamDecorator(
  async (field: string, context: ExecutionContext): Promise<Buffer> => {
    const request = context.switchToHttp().getRequest<Request & { file?: { buffer: Buffer } }>();
    if (!request.file) throw await missingFile(request, field);
    return request.file.buffer;
  },
);
