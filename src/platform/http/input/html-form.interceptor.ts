import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { type Request, type Response, urlencoded } from 'express';
import { from, type Observable, switchMap } from 'rxjs';

const parse = urlencoded({ extended: false, limit: '4kb' });

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
