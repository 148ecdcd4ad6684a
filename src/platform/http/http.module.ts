import { Global, Module } from '@nestjs/common';
import { APP_FILTER, APP_INTERCEPTOR, APP_PIPE } from '@nestjs/core';
import { LateRefusals } from '../rate-limit/late-refusals';
import { EnvelopeInterceptor } from './envelope.interceptor';
import { ErrorFilter } from './errors/error.filter';
import { InputPipe } from './input/input.pipe';
import { Lifecycle } from './lifecycle';
import { OpenApiRegistry } from './openapi/openapi-registry';

@Global()
@Module({
  providers: [
    OpenApiRegistry,
    LateRefusals,
    Lifecycle,
    { provide: APP_FILTER, useClass: ErrorFilter },
    { provide: APP_INTERCEPTOR, useClass: EnvelopeInterceptor },
    { provide: APP_PIPE, useClass: InputPipe },
  ],
  exports: [OpenApiRegistry, LateRefusals, Lifecycle],
})
export class HttpModule {}
