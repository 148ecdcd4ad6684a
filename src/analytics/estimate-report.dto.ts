import { ESTIMATORS, type EstimatorName } from '../calls/queue/estimates/estimator-choice.machine';
import { ChoiceField, IntegerField, NumberField, TextField, UuidField } from '../platform/http/input/fields';

export class EstimateReportDto {
  @UuidField()
  department_id: string;

  @TextField({ example: 'Suporte Técnico' })
  name: string;

  @IntegerField({
    example: 412,
    description: 'Answered calls whose customers were shown an estimate when they joined',
  })
  calls: number;

  @NumberField({
    optional: true,
    example: 38.4,
    description:
      'Average difference in seconds between estimated_wait_time and wait_time; null without calls',
  })
  mae: number | null;

  @NumberField({
    optional: true,
    example: -4.2,
    description:
      'Average of estimated_wait_time − wait_time in seconds: negative if customers wait longer than estimated',
  })
  bias: number | null;

  @NumberField({
    optional: true,
    example: 0.9012,
    description:
      'Share of the calls with a range that waited no longer than its upper end before rounding; null without',
  })
  coverage: number | null;

  @ChoiceField(ESTIMATORS, {
    example: 'queue_length',
    description:
      'In use: the length of the queue, the wait of the last answered customer, or the mean of the last ten',
  })
  estimator: EstimatorName;
}
