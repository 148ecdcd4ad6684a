import { TextField } from './input/fields';

/** An answer that only says that it worked. */
export class MessageDto {
  @TextField({ example: 'Done.' })
  message: string;
}
