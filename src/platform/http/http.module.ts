import { Global, Module } from '@nestjs/common';
import { APP_FILTER, APP_PIPE } from '@nestjs/core';
import { AsyncApiController } from './openapi/asyncapi.controller';
import { ErrorFilter } from './errors/error.filter';
import { InputPipe } from './input/input.pipe';
import { OpenApiRegistry } from './openapi/openapi-registry';

@Global()
@Module({
  controllers: [AsyncApiController],
  providers: [
    OpenApiRegistry,
    { provide: APP_FILTER, useClass: ErrorFilter },
    { provide: APP_PIPE, useClass: InputPipe },
  ],
  exports: [OpenApiRegistry],
})
export class HttpModule {}
