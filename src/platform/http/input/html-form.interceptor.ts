import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { type Request, type Response, urlencoded } from 'express';
import { from, type Observable, switchMap } from 'rxjs';
import { limitBodySize } from './body-size';

const TYPE = 'application/x-www-form-urlencoded';
const MAX_BYTES = 4096;
const parse = limitBodySize(urlencoded({ extended: false, limit: MAX_BYTES }), TYPE, MAX_BYTES);

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
