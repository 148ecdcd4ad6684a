import { TransferOfferDto } from '../../calls/call-details.dto';
import { CALL_STATUSES, type CallStatus } from '../../calls/machine/call.machine';
import {
  BooleanField,
  ChoiceField,
  IntegerField,
  ObjectField,
  TextField,
  TimestampField,
  UuidField,
} from '../../platform/http/input/fields';

export class TransferCallDto {
  @UuidField({ optional: true, description: 'The department in whose queue the call waits; without user_id' })
  department_id?: string | null;

  @UuidField({
    optional: true,
    example: null,
    description: 'The agent who is offered the call; without department_id',
  })
  user_id?: string | null;

  @TextField({
    optional: true,
    max: 2000,
    example: 'Wants to change the contract',
    description: 'For the next agent',
  })
  note?: string | null;
}

export class CallTransferDto {
  @UuidField()
  id: string;

  @ChoiceField(CALL_STATUSES, {
    example: 'queued',
    description:
      '`queued` in the new department; `active` with its agent while another one is offered the call',
  })
  status: CallStatus;

  @UuidField({ optional: true })
  department_id: string | null;

  @UuidField({ optional: true, example: null, description: 'The agent' })
  user_id: string | null;

  @ObjectField(() => TransferOfferDto, {
    optional: true,
    example: null,
    description: 'Of a transfer to an agent; null for one to a department',
  })
  offer: TransferOfferDto | null;
}

export class TransferDepartmentDto {
  @UuidField()
  department_id: string;

  @TextField({ example: 'Vendas' })
  department_name: string;

  @IntegerField({
    example: 3,
    description: 'Customers who wait in its line, with those who overflowed to it',
  })
  queue_size: number;

  @BooleanField({ example: false, description: 'Whether its queue takes no more calls: queue_full' })
  full: boolean;

  @BooleanField({ example: true, description: 'By its opening hours; otherwise department_closed' })
  open: boolean;

  @TimestampField({
    optional: true,
    example: null,
    description: 'Null while it is open, or if it never opens',
  })
  opens_at: string | null;
}
