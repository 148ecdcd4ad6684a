import { randomBytes } from 'node:crypto';
import { Controller, Get, Inject, Param, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { CustomerCallActions } from '../../calls/customer/customer-call-actions';
import { Public } from '../../platform/access/public.decorator';
import { CONFIG, type Config } from '../../platform/config/config';
import { toApiError } from '../../platform/http/errors/to-api-error';
import { RateLimit } from '../../platform/rate-limit/rate-limit.decorator';
import { WebBuildCache } from '../build/web-build-cache';
import { type PageData, scriptJson } from '../page-data';

/** The page that a customer's link opens. */
@ApiExcludeController()
@Public()
@RateLimit('public')
@Controller('c')
export class CustomerPageController {
  constructor(
    private readonly calls: CustomerCallActions,
    private readonly builds: WebBuildCache,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @Get(':token')
  async show(
    @Param('token') token: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const build = this.builds.current();
    const link = await this.calls.validate(token).catch((error: unknown) => toApiError(error));
    const isValid = 'valid' in link;
    const data: PageData = {
      token,
      language: 'pt',
      link: isValid ? { ...link, callback_enabled: false, timezone: 'America/Sao_Paulo' } : null,
      error: isValid ? null : { code: link.code, detail: link.detail, request_id: request.request_id },
      company: isValid ? { name: link.company_name, logo_url: link.company_logo_url } : null,
      timezone: 'America/Sao_Paulo',
      colors: { accent: '#2563eb', on_accent: '#ffffff', accent_dark: '#60a5fa', on_accent_dark: '#000000' },
      grace_seconds: this.config.reconnectGraceSeconds,
      absence_seconds: this.config.queueAbsenceSeconds,
      version: build.version,
    };
    const nonce = randomBytes(16).toString('base64url');
    const { script, imports, styles } = build.filesOf('customer/index.tsx');
    response
      .status(isValid ? 200 : 404)
      .set({
        'Cache-Control': 'no-store',
        'Content-Security-Policy': `default-src 'self';script-src 'self';style-src 'self' 'nonce-${nonce}';connect-src 'self' ${new URL(this.config.websocketUrl).origin};img-src 'self' data: https:;media-src 'self' blob:;worker-src 'self' blob:;object-src 'none';base-uri 'none';form-action 'self';frame-ancestors 'self'`,
      })
      .removeHeader('X-Frame-Options');
    response.type('html').send(`<!doctype html>
<html lang="${data.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1,viewport-fit=cover">
<title>Video call</title>
<style nonce="${nonce}">:root{--accent:${data.colors.accent};--on-accent:${data.colors.on_accent}}</style>
${styles.map((href) => `<link rel="stylesheet" href="${href}">`).join('')}
${imports.map((href) => `<link rel="modulepreload" href="${href}">`).join('')}
<script type="module" src="${script}"></script>
</head>
<body>
<div id="app"></div>
<script type="application/json" id="page-data">${scriptJson(data)}</script>
</body>
</html>
`);
  }
}
