import { Body, Controller, Delete, Get, HttpCode, Post, Put, Query } from '@nestjs/common';
import { ApiNoContentResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentUser, MinimumRole } from '../platform/access/access.decorators';
import { IdParam } from '../platform/http/input/id-params';
import { ApiData, ApiFailure, ApiPage } from '../platform/http/openapi/openapi.decorators';
import type { Page } from '../platform/database/page';
import type { Principal } from '../platform/access/principal';
import { ApiResourceBody, ResourceBody } from '../platform/http/input/resource-body';
import {
  CreateCustomerDto,
  CustomerDto,
  CustomerListQuery,
  MergeCustomersDto,
  UpdateCustomerDto,
} from './customer.dto';
import { DuplicateGroupList } from './duplicate-group-list';
import { CustomerList } from './customer-list';
import { CustomersService } from './customers.service';
import { DuplicateGroupDto, DuplicateGroupListQuery } from './duplicate-group.dto';
import { MergeCustomers } from './merge-customers';

@ApiTags('Customers')
@MinimumRole('attendant')
@Controller('api/v1/customers')
export class CustomersController {
  constructor(
    private readonly customers: CustomersService,
    private readonly list: CustomerList,
    private readonly duplicates: DuplicateGroupList,
    private readonly merger: MergeCustomers,
  ) {}

  @Get()
  @ApiOperation({ summary: 'List customers' })
  @ApiPage(CustomerDto)
  page(@CurrentUser() user: Principal, @Query() query: CustomerListQuery): Promise<Page<CustomerDto>> {
    return this.list.page(user, query);
  }

  @Get('duplicates')
  @ApiOperation({ summary: 'List groups of customers who are probably the same person' })
  @ApiPage(DuplicateGroupDto)
  duplicatesPage(
    @CurrentUser() user: Principal,
    @Query() query: DuplicateGroupListQuery,
  ): Promise<Page<DuplicateGroupDto>> {
    return this.duplicates.page(user, query);
  }

  @Post()
  @ApiOperation({ summary: 'Create a customer' })
  @ApiResourceBody('customer', CreateCustomerDto)
  @ApiData(CustomerDto, { status: 201 })
  create(
    @CurrentUser() user: Principal,
    @ResourceBody('customer') input: CreateCustomerDto,
  ): Promise<CustomerDto> {
    return this.customers.create(user, input);
  }

  @Post('merge')
  @HttpCode(200)
  @MinimumRole('supervisor')
  @ApiOperation({ summary: 'Merge customers who are the same person' })
  @ApiData(CustomerDto)
  merge(@CurrentUser() user: Principal, @Body() input: MergeCustomersDto): Promise<CustomerDto> {
    return this.merger.merge(user.tenant_id, input);
  }

  @Get(':id')
  @ApiOperation({ summary: 'Get a customer' })
  @ApiData(CustomerDto)
  get(@CurrentUser() user: Principal, @IdParam() id: string): Promise<CustomerDto> {
    return this.list.get(user, id);
  }

  @Put(':id')
  @ApiOperation({ summary: 'Update a customer' })
  @ApiResourceBody('customer', UpdateCustomerDto)
  @ApiData(CustomerDto)
  update(
    @CurrentUser() user: Principal,
    @IdParam() id: string,
    @ResourceBody('customer') input: UpdateCustomerDto,
  ): Promise<CustomerDto> {
    return this.customers.update(user, id, input);
  }

  @Delete(':id')
  @HttpCode(204)
  @MinimumRole('supervisor')
  @ApiOperation({ summary: "Delete a customer; past calls keep the customer's name and contact details" })
  @ApiNoContentResponse()
  @ApiFailure(
    422,
    'The customer has a call that has not ended, or is under a legal hold (`legal_hold`)',
    'customer_in_use',
    'The customer has a call that has not ended.',
  )
  delete(@CurrentUser() user: Principal, @IdParam() id: string): Promise<void> {
    return this.customers.delete(user.tenant_id, id);
  }
}
