import { readFile } from 'node:fs/promises';
import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Controller, Get, Header } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { RateLimit } from '../../platform/rate-limit/rate-limit.decorator';
import { Unwrapped } from '../../platform/http/envelope.interceptor';
import { Public } from '../../platform/access/access.decorators';

/** Found from package.json, because the compiled code is in dist/. */
const FILE = join(dirname(findPackageJSON(pathToFileURL(__filename)) ?? '.'), 'docs', 'asyncapi.yaml');

/** Serves the AsyncAPI document of the socket, as /docs-json serves the OpenAPI document of HTTP. */
@ApiTags('Reference')
@Public()
@RateLimit('public')
@Controller('docs')
export class AsyncApiController {
  @Get('asyncapi.yaml')
  @Unwrapped()
  @Header('Content-Type', 'application/yaml; charset=utf-8')
  @ApiOperation({ summary: 'The AsyncAPI 3 document of the socket' })
  @ApiOkResponse({ content: { 'application/yaml': { schema: { type: 'string' } } } })
  asyncApi(): Promise<string> {
    return readFile(FILE, 'utf8');
  }
}
