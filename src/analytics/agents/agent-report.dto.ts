import {
  IntegerField,
  NumberField,
  ObjectField,
  TextField,
  UuidField,
} from '../../platform/http/input/fields';

export class StateTimesDto {
  @IntegerField({ example: 5_400 })
  available: number;

  @IntegerField({ example: 360 })
  offered: number;

  @IntegerField({ example: 18_900 })
  on_call: number;

  @IntegerField({ example: 540 })
  wrap_up: number;

  @IntegerField({ example: 1_800 })
  paused: number;
}

export class AgentReportDto {
  @UuidField()
  user_id: string;

  @TextField({ example: 'Ana Souza' })
  user_name: string;

  @IntegerField({ example: 31 })
  answered: number;

  @IntegerField({ example: 1 })
  missed: number;

  @IntegerField({
    example: 1,
    description: 'Completed calls whose connection was lost and not restored in time',
  })
  dropped: number;

  @NumberField({
    optional: true,
    example: 34.5,
    description: 'Average seconds that the answered calls had waited',
  })
  average_wait_time: number | null;

  @NumberField({ optional: true, example: 251.8, description: 'Average seconds from start to end' })
  average_duration: number | null;

  @NumberField({
    optional: true,
    example: 263.4,
    description: 'Average seconds of a part of the agent in a call, with the wrap-up that followed',
  })
  average_handle_time: number | null;

  @NumberField({ optional: true, example: 4.52 })
  average_rating: number | null;

  @IntegerField({ example: 34, description: 'Offers that the agent got' })
  offers: number;

  @IntegerField({ example: 29 })
  accepted_offers: number;

  @IntegerField({ example: 2 })
  declined_offers: number;

  @IntegerField({ example: 1, description: 'Offers that the agent neither accepted nor declined in time' })
  missed_offers: number;

  @NumberField({ optional: true, example: 0.9063, description: 'Accepted ÷ (accepted + declined + missed)' })
  acceptance_rate: number | null;

  @NumberField({ optional: true, example: 6.4, description: 'Average seconds until an offer was accepted' })
  average_answer_time: number | null;

  @IntegerField({ example: 540, description: 'Seconds of wrap-up after calls' })
  wrap_up_time: number;

  @IntegerField({ example: 3, description: 'Parts of calls that ended because the call was transferred' })
  transfers: number;

  @NumberField({
    optional: true,
    example: 0.7812,
    description: 'Time in calls and in wrap-up ÷ online_time, 0 to 1',
  })
  occupancy: number | null;

  @IntegerField({
    example: 25_200,
    description: 'Seconds in which the agent was online, in a call or in wrap-up',
  })
  online_time: number;

  @ObjectField(() => StateTimesDto, { description: 'Seconds in each state of the agent, except offline' })
  state_times: StateTimesDto;
}
