import { Controller, Delete, Get, HttpCode, Post, Put, Query } from '@nestjs/common';
import { ApiNoContentResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentUser, MinimumRole } from '../platform/access/access.decorators';
import { IdParam } from '../platform/http/input/id-params';
import { ApiData, ApiFailure, ApiPage } from '../platform/http/openapi/openapi.decorators';
import type { Page } from '../platform/database/page';
import type { Principal } from '../platform/access/principal';
import { ApiResourceBody, ResourceBody } from '../platform/http/input/resource-body';
import { DeleteWebhook } from './delete-webhook';
import {
  CreateWebhookDto,
  UpdateWebhookDto,
  WebhookDto,
  WebhookListQuery,
  WebhookWithSecretDto,
} from './webhook.dto';
import { WebhookList } from './webhook-list';
import { WebhooksService } from './webhooks.service';

@ApiTags('Webhooks')
@MinimumRole('manager')
@Controller('api/v1/webhooks')
export class WebhooksController {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly list: WebhookList,
    private readonly deletion: DeleteWebhook,
  ) {}

  @Get()
  @ApiOperation({ summary: 'List webhooks' })
  @ApiPage(WebhookDto)
  page(@CurrentUser() user: Principal, @Query() query: WebhookListQuery): Promise<Page<WebhookDto>> {
    return this.list.page(user.tenant_id, query);
  }

  @Post()
  @ApiOperation({ summary: 'Create a webhook; its secret is only shown in this response' })
  @ApiResourceBody('webhook', CreateWebhookDto)
  @ApiData(WebhookWithSecretDto, { status: 201 })
  @ApiFailure(403, 'The plan allows no further webhook: free has 10', 'plan_limit')
  @ApiFailure(
    422,
    'Some fields are not valid, or the maximum number of webhooks is reached',
    'too_many_webhooks',
    'A company can have 50 webhooks. Delete one first.',
  )
  create(
    @CurrentUser() user: Principal,
    @ResourceBody('webhook') input: CreateWebhookDto,
  ): Promise<WebhookWithSecretDto> {
    return this.webhooks.create(user.tenant_id, input);
  }

  @Get(':id')
  @ApiOperation({ summary: 'Get a webhook' })
  @ApiData(WebhookDto)
  get(@CurrentUser() user: Principal, @IdParam() id: string): Promise<WebhookDto> {
    return this.list.get(user.tenant_id, id);
  }

  @Put(':id')
  @ApiOperation({
    summary: 'Update a webhook; deliveries that come due while it is inactive fail and can be replayed',
  })
  @ApiResourceBody('webhook', UpdateWebhookDto)
  @ApiData(WebhookDto)
  update(
    @CurrentUser() user: Principal,
    @IdParam() id: string,
    @ResourceBody('webhook') input: UpdateWebhookDto,
  ): Promise<WebhookDto> {
    return this.webhooks.update(user.tenant_id, id, input);
  }

  @Delete(':id')
  @HttpCode(204)
  @ApiOperation({ summary: 'Delete a webhook; its deliveries are removed in the background' })
  @ApiNoContentResponse()
  delete(@CurrentUser() user: Principal, @IdParam() id: string): Promise<void> {
    return this.deletion.delete(user.tenant_id, id);
  }

  @Post(':id/rotate-secret')
  @HttpCode(200)
  @ApiOperation({
    summary:
      'Issue a new secret, shown only once; for a day deliveries are signed with the earlier ones as well',
  })
  @ApiData(WebhookWithSecretDto)
  @ApiFailure(
    422,
    'Five secrets are valid already',
    'too_many_secrets',
    'The secret was changed too often today. Try again tomorrow.',
  )
  rotateSecret(@CurrentUser() user: Principal, @IdParam() id: string): Promise<WebhookWithSecretDto> {
    return this.webhooks.rotateSecret(user.tenant_id, id);
  }
}
