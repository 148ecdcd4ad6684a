import { Global, Module } from '@nestjs/common';
import { APP_FILTER, APP_INTERCEPTOR, APP_PIPE } from '@nestjs/core';
import { AsyncApiController } from './async-api.controller';
import { EnvelopeInterceptor } from './envelope.interceptor';
import { ErrorFilter } from './error.filter';
import { InputPipe } from './input.pipe';
import { ListQuery } from './list-query';
import { OpenApiAdditions } from './open-api.additions';

@Global()
@Module({
  controllers: [AsyncApiController],
  providers: [
    ListQuery,
    OpenApiAdditions,
    { provide: APP_FILTER, useClass: ErrorFilter },
    { provide: APP_PIPE, useClass: InputPipe },
    { provide: APP_INTERCEPTOR, useClass: EnvelopeInterceptor },
  ],
  exports: [ListQuery, OpenApiAdditions],
})
export class HttpModule {}
