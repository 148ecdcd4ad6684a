import { ApiProperty } from '@nestjs/swagger';
import { TextField, UuidField } from '../../platform/http/input/fields';

export class AddManagerNoteDto {
  @TextField({
    max: 10_000,
    example: 'Called back, all is well',
    description: 'One entry; line breaks and other control characters become blanks',
  })
  notes: string;
}

export class ManagerNotesDto {
  @UuidField({ description: 'The call' })
  id: string;

  @ApiProperty({
    example: '[2026-01-31T12:00:00.000Z] Ana Souza: Called back, all is well',
    description: 'All entries, one per line, each with its time and author',
  })
  manager_notes: string;
}
