import { Body, Controller, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentUser, MinimumRole, ReservedConnection } from '../../platform/access/access.decorators';
import type { Principal } from '../../platform/access/principal';
import { IdParam } from '../../platform/http/input/id-params';
import { ApiData, ApiFailure } from '../../platform/http/openapi/openapi.decorators';
import { OfferDto } from '../offers/offer.dto';
import { ForceOffer } from './force-offer';
import { ForceOfferDto } from './force-offer.dto';

@ApiTags('Offers')
@MinimumRole('supervisor')
@Controller('api/v1/calls')
export class ForceOfferController {
  constructor(private readonly offers: ForceOffer) {}

  @ReservedConnection()
  @Post(':id/offer')
  @ApiOperation({ summary: 'Offer a waiting call to an available agent of your choice' })
  @ApiData(OfferDto, { status: 201 })
  @ApiFailure(403, 'The plan allows no other call at the same time', 'plan_limit')
  @ApiFailure(
    422,
    'The agent is not available, the customer is not connected, or no department offers its calls in whose line it waits',
    'agent_not_available',
    'The agent is not available.',
  )
  offer(
    @CurrentUser() user: Principal,
    @IdParam() id: string,
    @Body() { user_id }: ForceOfferDto,
  ): Promise<OfferDto> {
    return this.offers.offer(user, id, user_id);
  }
}
