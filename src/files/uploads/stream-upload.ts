import {
  applyDecorators,
  type CallHandler,
  createParamDecorator,
  type ExecutionContext,
  Inject,
  Injectable,
  mixin,
  type NestInterceptor,
  type Type,
  UseInterceptors,
} from '@nestjs/common';
import { ApiBody, ApiConsumes } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import multer from 'multer';
import { catchError, type Observable } from 'rxjs';
import { CONFIG, type Config } from '../../platform/config/config';
import { StoredObjectsService } from '../../platform/storage/stored-objects.service';
import { fileTooLarge, type UploadRules } from './content-sniffer';
import { StorageAdmission } from '../../plans/storage-admission';
import { MAX_FORM_OVERHEAD_BYTES } from '../../plans/storage-quota.guard';
import { FORM_FIELD_LIMITS } from '../../tenancy/pictures/memory-upload';
import { StorageEngine, type StoredUpload } from './storage-engine';
import { missingFile } from '../../platform/http/errors/upload-errors';

/** A field name can be a path in brackets, which takes memory to parse. Nest sets these limits for MemoryUpload. */
const NAME_LIMITS = { fieldNestingDepth: 32, fieldArrayIndexLimit: 1000 };

/** The names of settings that are numbers. */
type NumericSetting = { [Name in keyof Config]: Config[Name] extends number ? Name : never }[keyof Config];

interface UploadOptions extends Omit<UploadRules, 'maxBytes'> {
  /** The maximum size in bytes, or the setting with it. */
  limit: NumericSetting | number;
  description: string;
}

interface UploadRequest extends Request {
  upload?: StoredUpload | undefined;
}

/** The fields in which clients send the file: the first one, or `recording`. */
const FIELDS = ['file', 'recording'] as const;

/**
 * A route that streams one file of a multipart/form-data body (RFC 7578) into the storage: the field `file`, or
 * `recording`, which some clients send. The handler creates a record for it; when the handler fails, the object is
 * discarded. A file over the limit is rejected with 413 as soon as that is known, and is not kept.
 */
export function StreamUpload(options: UploadOptions): MethodDecorator {
  const file = {
    type: 'string',
    format: 'binary',
    description: options.description,
    example: '(the file)',
  };
  return applyDecorators(
    UseInterceptors(uploadInterceptor(options)),
    ApiConsumes('multipart/form-data'),
    ApiBody({
      schema: {
        type: 'object',
        properties: { file, recording: { ...file, description: 'Another name of the field `file`' } },
        anyOf: FIELDS.map((field) => ({ required: [field] })),
      },
    }),
  );
}

/** The file of a StreamUpload, as a parameter of the handler. @throws 415 or 422 without a file */
export const StreamedFile = createParamDecorator(
  async (_data: unknown, context: ExecutionContext): Promise<StoredUpload> => {
    const request = context.switchToHttp().getRequest<UploadRequest>();
    if (!request.upload) throw await missingFile(request, FIELDS[0]);
    return request.upload;
  },
);

function uploadInterceptor({ limit, kind, accept }: UploadOptions): Type<NestInterceptor> {
  @Injectable()
  class UploadInterceptor implements NestInterceptor {
    private readonly rules: UploadRules;

    constructor(
      private readonly objects: StoredObjectsService,
      private readonly admission: StorageAdmission,
      @Inject(CONFIG) config: Config,
    ) {
      this.rules = { kind, accept, maxBytes: typeof limit === 'number' ? limit : config[limit] };
    }

    async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
      const http = context.switchToHttp();
      const request = http.getRequest<UploadRequest>();
      this.ensureWithinLimit(request);
      const upload = await this.receive(request, http.getResponse());
      request.upload = upload;
      return next.handle().pipe(
        catchError(async (error: unknown) => {
          if (upload) await this.objects.discard(upload.key);
          throw error;
        }),
      );
    }

    /** Rejects a body whose Content-Length is too large before reading it. */
    private ensureWithinLimit(request: Request): void {
      const { maxBytes } = this.rules;
      if (Number(request.headers['content-length']) > maxBytes + MAX_FORM_OVERHEAD_BYTES) {
        throw fileTooLarge(maxBytes);
      }
    }

    private receive(request: Request, response: Response): Promise<StoredUpload | undefined> {
      return new Promise((resolve, reject) => {
        // multer would wait forever for the end of a request that was aborted before.
        if (request.readableAborted) throw new Error('Request aborted');
        const storage = new StorageEngine(this.objects, this.rules, this.admission, reject);
        const options = {
          storage,
          streamHandler: storage.feed,
          limits: { ...FORM_FIELD_LIMITS, ...NAME_LIMITS, files: 1 },
          defParamCharset: 'utf8',
          preservePath: true,
        };
        const parse = multer(options).fields(FIELDS.map((name) => ({ name, maxCount: 1 })));
        void parse(request, response, (error?: unknown) => {
          void storage.finished().then((upload) => (error ? reject(error as Error) : resolve(upload)));
        });
      });
    }
  }
  return mixin(UploadInterceptor);
}
