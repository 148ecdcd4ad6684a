import type { ColumnsOf } from '../platform/database/columns';
import type { RecordingDto } from './recording.dto';

/** The columns of `recordings`. A URL contains the recording's id, so later recordings of the call do not change it. */
export const RECORDING_COLUMNS: ColumnsOf<RecordingDto> = {
  id: 'id',
  call_id: 'call_id',
  content_type: 'content_type',
  size: 'size::float8',
  duration: 'duration',
  sha256: 'sha256',
  url: `'/api/v1/calls/' || call_id || '/recording?recording_id=' || id`,
  inserted_at: 'inserted_at',
};
