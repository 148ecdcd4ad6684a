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
import { CONFIG, type Config } from '../../config/config';
import { StoredObjectsService } from '../../storage/stored-objects.service';
import { invalidField } from '../errors/api-error';
import { fileTooLarge, StorageEngine, type StoredUpload, type UploadRules } from './storage-engine';
import { FORM_FIELD_LIMITS } from './memory-upload';

/** How much a multipart/form-data body may be larger than its file: boundaries, headers, fields nobody reads. */
const FORM_OVERHEAD_BYTES = 1024 * 1024;

/** Names of fields may be paths in brackets, which take memory; Nest bounds those of TakesFile by itself. */
const NAME_LIMITS = { fieldNestingDepth: 32, fieldArrayIndexLimit: 1000 };

interface UploadOptions extends Omit<UploadRules, 'largest'> {
  /** The setting that says how large the file may be. */
  limit: 'maxUploadBytes' | 'maxRecordingBytes';
  description: string;
}

type UploadRequest = Request & { file?: StoredUpload };

/**
 * A route that takes one file, as `field` of a multipart/form-data body (RFC 7578), straight into the storage.
 * The handler makes a record of it and keeps the object; where it fails, the object is discarded. A file over
 * the limit is 413 as soon as that is known, and leaves nothing.
 */
export function StreamUpload(field: string, options: UploadOptions): MethodDecorator {
  const file = {
    type: 'string',
    format: 'binary',
    description: options.description,
    example: '(the file)',
  };
  return applyDecorators(
    UseInterceptors(storingInterceptor(field, options)),
    ApiConsumes('multipart/form-data'),
    ApiBody({ schema: { type: 'object', required: [field], properties: { [field]: file } } }),
  );
}

/** The file that StoresFile took. @throws 422 when there is none */
export const StreamedFile = createParamDecorator((field: string, context: ExecutionContext): StoredUpload => {
  const { file } = context.switchToHttp().getRequest<UploadRequest>();
  if (!file) throw invalidField(field, 'must be sent as a file of a multipart/form-data body');
  return file;
});

function storingInterceptor(field: string, { limit, kind, accept }: UploadOptions): Type<NestInterceptor> {
  @Injectable()
  class StoringInterceptor implements NestInterceptor {
    private readonly rules: UploadRules;

    constructor(
      private readonly objects: StoredObjectsService,
      @Inject(CONFIG) config: Config,
    ) {
      this.rules = { kind, accept, largest: config[limit] };
    }

    async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
      const http = context.switchToHttp();
      const request = http.getRequest<UploadRequest>();
      this.ensureFits(request);
      await this.take(request, http.getResponse());
      return next.handle().pipe(
        catchError(async (error: unknown) => {
          if (request.file) await this.objects.discard(request.file.key);
          throw error;
        }),
      );
    }

    /** What says beforehand that it is too large is not even begun with. */
    private ensureFits(request: Request): void {
      const { largest } = this.rules;
      if (Number(request.headers['content-length']) > largest + FORM_OVERHEAD_BYTES) {
        throw fileTooLarge(largest);
      }
    }

    private take(request: Request, response: Response): Promise<void> {
      return new Promise((resolve, reject) => {
        // multer would wait for good for the end of what has ended before it began to listen.
        if (request.readableAborted) throw new Error('Request aborted');
        const storage = new StorageEngine(this.objects, this.rules, reject);
        const limits = { ...FORM_FIELD_LIMITS, ...NAME_LIMITS, files: 1 };
        const receive = multer({ storage, limits, defParamCharset: 'utf8', preservePath: true }).single(
          field,
        );
        void receive(request, response, (error?: unknown) => {
          void storage.finished().then(() => (error ? reject(error as Error) : resolve()));
        });
      });
    }
  }
  return mixin(StoringInterceptor);
}
