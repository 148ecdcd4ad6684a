import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { LinkValidationDto } from '../../calls/customer/public-call.dto';
import { CONFIG, type Config } from '../../platform/config/config';
import type { ApiError } from '../../platform/http/errors/api-error';
import { clientSignal } from '../../platform/logging/request-context';
import { clientAddress } from '../../platform/rate-limit/client-address';
import { FairTurns } from '../../platform/rate-limit/fair-turns';
import { WebBuildCache } from '../build/web-build-cache';
import { brandColors } from '../html/brand-colors';
import { originSources } from '../html/content-security-policy';
import { pageDocument } from '../html/page-document';
import { pageLanguage, pageLanguageOf } from '../html/page-language';
import { sendPage } from '../html/send-page';
import type { PageData, PageError } from '../page-data';
import { viewOf } from './customer-views';
import type { LinkCompany } from './link-pages';

/** The title while the company is not known. It is the same in all languages of the page. */
const NEUTRAL_TITLE = 'Video';
const DEFAULT_COLOR = '#2563eb';

/** Sends the page that a customer's link opens, and the button that opens it. */
@Injectable()
export class CustomerPage {
  constructor(
    private readonly builds: WebBuildCache,
    private readonly turns: FairTurns,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** @param company undefined for an unknown link @throws ClientLeftError */
  async send(
    request: Request,
    response: Response,
    found: LinkValidationDto | ApiError,
    company: LinkCompany | undefined,
  ): Promise<void> {
    // The pages that waited for the same reading would all be made at once, while nothing else is answered.
    await this.turns.next(clientAddress(request));
    clientSignal()?.throwIfAborted();
    this.sendNow(request, response, found, company);
  }

  private sendNow(
    request: Request,
    response: Response,
    found: LinkValidationDto | ApiError,
    company: LinkCompany | undefined,
  ): void {
    const build = this.builds.current();
    const view = viewOf(request);
    const data = this.dataOf(request, found, company);
    const nonce = randomBytes(16).toString('base64url');
    const html = pageDocument({
      data,
      title: company?.name ?? NEUTRAL_TITLE,
      isTranslatable: true,
      iconUrl: company?.logo_url ?? null,
      files: build.filesOf(view.entries, view.furtherModules(data.language)),
      nonce,
      content: view.render(build.renderer, data, request.query.resume !== undefined),
      noScript: build.renderer.noScriptText(data.language),
    });
    sendPage(response, 'code' in found ? found.getStatus() : 200, html, {
      nonce,
      frameAncestors: company?.allowed_sites ?? [],
      // The logo can be anywhere; photos of agents have the public address, under which the page need not be open.
      images: [...originSources(company?.logo_url ?? null), ...originSources(this.config.publicUrl)],
      connections: originSources(this.config.websocketUrl),
      permissions: view.permissions,
      isHttps: this.config.publicUrl.startsWith('https:'),
    });
  }

  private dataOf(
    request: Request,
    found: LinkValidationDto | ApiError,
    company: LinkCompany | undefined,
  ): PageData {
    const link = 'code' in found ? null : found;
    return {
      token: String(request.params.token ?? ''),
      language: pageLanguage(request, pageLanguageOf(company?.language) ?? 'en'),
      link,
      error: 'code' in found ? pageError(request, found, company) : null,
      company: company ? { name: company.name, logo_url: company.logo_url } : null,
      timezone: link?.timezone ?? company?.timezone ?? 'UTC',
      colors: brandColors(company?.primary_color ?? DEFAULT_COLOR),
      sites: company?.allowed_sites ?? [],
      grace_seconds: this.config.reconnectGraceSeconds,
      absence_seconds: this.config.queueAbsenceSeconds,
      version: this.builds.current().version,
    };
  }
}

function pageError({ request_id }: Request, failure: ApiError, company: LinkCompany | undefined): PageError {
  const { code, detail, retry_after } = failure;
  const { valid_from, appointment } = code === 'link_not_yet_valid' && company ? company : {};
  return {
    code,
    detail,
    request_id,
    status: failure.getStatus(),
    ...(retry_after !== undefined && { retry_after }),
    ...(valid_from && { valid_from }),
    ...(appointment && { appointment }),
  };
}
