import { Body, Controller, Delete, Get, HttpCode, Post, Put, Query } from '@nestjs/common';
import { ApiNoContentResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentUser, MinimumRole } from '../platform/access/access.decorators';
import { IdParam } from '../platform/http/input/id-params';
import { ApiData, ApiFailure, ApiPage } from '../platform/http/openapi/openapi.decorators';
import type { Page } from '../platform/database/page';
import type { Principal } from '../platform/access/principal';
import { ApiResourceBody, ResourceBody } from '../platform/http/input/resource-body';
import { Redelivery } from './deliveries/redelivery';
import { TestDelivery } from './deliveries/test-delivery';
import {
  DeliveryDetailsDto,
  DeliveryDto,
  DeliveryListQuery,
  ReplayDto,
  ReplayedDto,
} from './deliveries/delivery.dto';
import {
  CreateWebhookDto,
  UpdateWebhookDto,
  WebhookDto,
  WebhookListQuery,
  WebhookWithSecretDto,
} from './webhook.dto';
import { WebhookList } from './webhook-list';
import { WebhooksService } from './webhooks.service';

const INACTIVE = [
  422,
  'The webhook is not active, or a field is not valid',
  'webhook_inactive',
  'Nothing is sent to this webhook. Activate it first.',
] as const;

@ApiTags('Webhooks')
@MinimumRole('manager')
@Controller('api/v1/webhooks')
export class WebhooksController {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly list: WebhookList,
    private readonly redelivery: Redelivery,
    private readonly trial: TestDelivery,
  ) {}

  @Get()
  @ApiOperation({ summary: 'List webhooks' })
  @ApiPage(WebhookDto)
  page(@CurrentUser() user: Principal, @Query() query: WebhookListQuery): Promise<Page<WebhookDto>> {
    return this.list.page(user.tenant_id, query);
  }

  @Post()
  @ApiOperation({ summary: 'Create a webhook; the answer shows its secret, this once' })
  @ApiResourceBody('webhook', CreateWebhookDto)
  @ApiData(WebhookWithSecretDto, { status: 201 })
  @ApiFailure(
    422,
    'Some fields are not valid, or there are as many webhooks as there can be',
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
    summary: 'Update a webhook; what comes due for one that is not active has failed, to be replayed',
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
  @ApiOperation({ summary: 'Delete a webhook with its deliveries' })
  @ApiNoContentResponse()
  delete(@CurrentUser() user: Principal, @IdParam() id: string): Promise<void> {
    return this.webhooks.delete(user.tenant_id, id);
  }

  @Post(':id/rotate-secret')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Make a new secret, shown this once; for a day deliveries are signed with those before it, too',
  })
  @ApiData(WebhookWithSecretDto)
  @ApiFailure(
    422,
    'Five secrets are good already',
    'too_many_secrets',
    'The secret was changed too often today. Try again tomorrow.',
  )
  rotateSecret(@CurrentUser() user: Principal, @IdParam() id: string): Promise<WebhookWithSecretDto> {
    return this.webhooks.rotateSecret(user.tenant_id, id);
  }

  @Post(':id/test')
  @HttpCode(200)
  @ApiOperation({ summary: 'Send one webhook.test at once, and see what came of it' })
  @ApiData(DeliveryDetailsDto)
  test(@CurrentUser() user: Principal, @IdParam() id: string): Promise<DeliveryDetailsDto> {
    return this.trial.send(user.tenant_id, id);
  }

  @Post(':id/replay')
  @HttpCode(202)
  @ApiOperation({ summary: 'Make all deliveries of a time range again' })
  @ApiData(ReplayedDto, { status: 202 })
  @ApiFailure(...INACTIVE)
  replay(
    @CurrentUser() user: Principal,
    @IdParam() id: string,
    @Body() input: ReplayDto,
  ): Promise<ReplayedDto> {
    return this.redelivery.replay(user.tenant_id, id, input);
  }

  @Get(':id/deliveries')
  @ApiOperation({ summary: 'List deliveries; they are kept for 30 days' })
  @ApiPage(DeliveryDto)
  deliveries(
    @CurrentUser() user: Principal,
    @IdParam() id: string,
    @Query() query: DeliveryListQuery,
  ): Promise<Page<DeliveryDto>> {
    return this.list.deliveries(user.tenant_id, id, query);
  }

  @Get(':id/deliveries/:delivery_id')
  @ApiOperation({ summary: 'Get a delivery with every try' })
  @ApiData(DeliveryDetailsDto)
  delivery(
    @CurrentUser() user: Principal,
    @IdParam() id: string,
    @IdParam('delivery_id') deliveryId: string,
  ): Promise<DeliveryDetailsDto> {
    return this.list.delivery(user.tenant_id, id, deliveryId);
  }

  @Post(':id/deliveries/:delivery_id/redeliver')
  @HttpCode(202)
  @ApiOperation({ summary: 'Make a delivery again, at once and with all its tries' })
  @ApiData(DeliveryDetailsDto, { status: 202 })
  @ApiFailure(...INACTIVE)
  redeliver(
    @CurrentUser() user: Principal,
    @IdParam() id: string,
    @IdParam('delivery_id') deliveryId: string,
  ): Promise<DeliveryDetailsDto> {
    return this.redelivery.redeliver(user.tenant_id, id, deliveryId);
  }
}
