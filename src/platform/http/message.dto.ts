import { TextField } from './input/fields';

/** The response of an endpoint that returns no data. */
export class MessageDto {
  @TextField({ example: 'Done.' })
  message: string;
}
