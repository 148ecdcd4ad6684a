import { Body, Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentUser, MinimumRole } from '../../platform/access/access.decorators';
import type { Principal } from '../../platform/access/principal';
import { IdParam } from '../../platform/http/input/id-params';
import { ApiData, ApiFailure, ApiPage } from '../../platform/http/openapi/openapi.decorators';
import {
  DeliveryDetailsDto,
  DeliveryDto,
  DeliveryListQuery,
  ReplayDto,
  ReplayResultDto,
} from './delivery.dto';
import { DeliveryList } from './delivery-list';
import { RedeliverDelivery } from './redeliver-delivery';
import { ReplayDeliveries } from './replay-deliveries';
import { TestDelivery } from './test-delivery';
import { Page } from '../../platform/database/page';

const INACTIVE = [
  422,
  'The webhook is not active, or a field is not valid',
  'webhook_inactive',
  'Nothing is sent to this webhook. Activate it first.',
] as const;

@ApiTags('Webhooks')
@MinimumRole('manager')
@Controller('api/v1/webhooks/:id')
export class WebhookDeliveriesController {
  constructor(
    private readonly list: DeliveryList,
    private readonly redelivery: RedeliverDelivery,
    private readonly replays: ReplayDeliveries,
    private readonly tests: TestDelivery,
  ) {}

  @Post('test')
  @HttpCode(200)
  @ApiOperation({ summary: 'Send one webhook.test at once and return its delivery' })
  @ApiData(DeliveryDetailsDto)
  test(@CurrentUser() user: Principal, @IdParam() id: string): Promise<DeliveryDetailsDto> {
    return this.tests.send(user.tenant_id, id);
  }

  @Post('replay')
  @HttpCode(202)
  @ApiOperation({ summary: 'Send all deliveries of a time range again, in the background' })
  @ApiData(ReplayResultDto, { status: 202 })
  @ApiFailure(...INACTIVE)
  replay(
    @CurrentUser() user: Principal,
    @IdParam() id: string,
    @Body() input: ReplayDto,
  ): Promise<ReplayResultDto> {
    return this.replays.replay(user.tenant_id, id, input);
  }

  @Get('deliveries')
  @ApiOperation({ summary: 'List deliveries; they are kept for 30 days by default' })
  @ApiPage(DeliveryDto)
  page(
    @CurrentUser() user: Principal,
    @IdParam() id: string,
    @Query() query: DeliveryListQuery,
  ): Promise<Page<DeliveryDto>> {
    return this.list.page(user.tenant_id, id, query);
  }

  @Get('deliveries/:delivery_id')
  @ApiOperation({ summary: 'Get a delivery with every attempt' })
  @ApiData(DeliveryDetailsDto)
  get(
    @CurrentUser() user: Principal,
    @IdParam() id: string,
    @IdParam('delivery_id') deliveryId: string,
  ): Promise<DeliveryDetailsDto> {
    return this.list.get(user.tenant_id, id, deliveryId);
  }

  @Post('deliveries/:delivery_id/redeliver')
  @HttpCode(202)
  @ApiOperation({ summary: 'Send a delivery again, at once and with all its retries' })
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
