import { Controller, Get, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Response } from 'express';
import { Public } from '../../platform/access/public.decorator';
import { RateLimit } from '../../platform/rate-limit/rate-limit.decorator';
import { WebBuildCache } from '../build/web-build-cache';
import { scriptJson } from '../page-data';

/** The console of staff. */
@ApiExcludeController()
@Public()
@RateLimit('public')
@Controller('console')
export class ConsolePageController {
  constructor(private readonly builds: WebBuildCache) {}

  @Get()
  show(@Res() response: Response): void {
    const build = this.builds.current();
    const { script, imports, styles } = build.filesOf('console/index.tsx');
    response
      .set({
        'Cache-Control': 'no-store',
        'Content-Security-Policy': `default-src 'self';script-src 'self' 'wasm-unsafe-eval';style-src 'self' 'unsafe-inline';connect-src 'self' ws: wss:;img-src 'self' data: https:;media-src 'self' blob:;worker-src 'self' blob:;object-src 'none';base-uri 'none';form-action 'self';frame-ancestors 'none'`,
      })
      .type('html').send(`<!doctype html>
<html lang="pt">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>Console</title>
${styles.map((href) => `<link rel="stylesheet" href="${href}">`).join('')}
${imports.map((href) => `<link rel="modulepreload" href="${href}">`).join('')}
<script type="module" src="${script}"></script>
</head>
<body>
<div id="app"></div>
<script type="application/json" id="page-data">${scriptJson({ language: 'pt', version: build.version })}</script>
</body>
</html>
`);
  }
}
