import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { isUtf8 } from 'node:buffer';
import { type Request, type Response, urlencoded } from 'express';
import { from, type Observable, switchMap } from 'rxjs';
import { badRequest } from '../../platform/http/errors/api-error';
import { limitBodySize } from '../../platform/http/input/body-size';

const TYPE = 'application/x-www-form-urlencoded';
const MAX_BYTES = 4096;
const parse = limitBodySize(
  urlencoded({ extended: false, limit: MAX_BYTES, verify: ensureUtf8 }),
  TYPE,
  MAX_BYTES,
);

/** The parser would replace other bytes, and a password with a replaced character would be stored. @throws 400 */
function ensureUtf8(_request: unknown, _response: unknown, body: Buffer): void {
  try {
    if (isUtf8(body)) return void decodeURIComponent(body.toString());
  } catch {
    // Escapes of other bytes.
  }
  throw badRequest('The form must be encoded in UTF-8.');
}

/** Lets a route accept the body of an HTML form (application/x-www-form-urlencoded) as well as JSON. */
@Injectable()
export class HtmlFormInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    const parsed = new Promise<void>((resolve, reject) => {
      parse(http.getRequest<Request>(), http.getResponse<Response>(), (error) =>
        error ? reject(error) : resolve(),
      );
    });
    return from(parsed).pipe(switchMap(() => next.handle()));
  }
}
