import { randomBytes } from 'node:crypto';
import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Public } from '../../platform/access/access.decorators';
import { CONFIG, type Config } from '../../platform/config/config';
import { RateLimit } from '../../platform/rate-limit/rate-limit.decorator';
import { WebBuildCache } from '../build/web-build-cache';
import { brandColors } from '../html/brand-colors';
import { originSources } from '../html/content-security-policy';
import { pageDocument } from '../html/page-document';
import { type PageLanguage, pageLanguage } from '../html/page-language';
import { CALL_PERMISSIONS, sendPage } from '../html/send-page';

const COLOR = '#2563eb';
/** Where most agents are, and where the console leads after the login. */
const QUEUE_PATH = /^\/console\/?$/;

/** The console of staff. */
@ApiExcludeController()
@Public()
@RateLimit('asset')
@Controller('console')
export class ConsolePageController {
  constructor(
    private readonly builds: WebBuildCache,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Each page of the console has an address, which a reload opens again. */
  @Get(['', '*path'])
  show(@Req() request: Request, @Res() response: Response): void {
    const build = this.builds.current();
    const language = pageLanguage(request, 'en');
    const nonce = randomBytes(16).toString('base64url');
    const { reconnectGraceSeconds: grace_seconds, queueAbsenceSeconds: absence_seconds } = this.config;
    const { version } = build;
    const html = pageDocument({
      data: { language, colors: brandColors(COLOR), grace_seconds, absence_seconds, version },
      title: 'Console',
      isTranslatable: false,
      iconUrl: null,
      files: build.filesOf(['console/index.tsx'], furtherModules(request.path, language)),
      nonce,
      content: build.renderer.renderStalled(language),
      noScript: build.renderer.noScriptText(language),
    });
    sendPage(response, 200, html, {
      nonce,
      frameAncestors: 'none',
      // Logos of companies can be at any address.
      images: ['https:'],
      connections: originSources(this.config.websocketUrl),
      // The console cuts and joins recordings in the browser.
      scripts: ['wasm-unsafe-eval'],
      permissions: CALL_PERMISSIONS,
      isHttps: this.config.publicUrl.startsWith('https:'),
    });
  }
}

/** What the script imports next: loaded beside it, so that the line does not wait for one file after the other. */
function furtherModules(path: string, language: PageLanguage): string[] {
  const texts = `console/texts/${language}.ts`;
  if (!QUEUE_PATH.test(path)) return [texts];
  return [texts, 'console/app/workplace-page.tsx', `console/features/queue/texts/${language}.ts`];
}
