import { ApiProperty } from '@nestjs/swagger';
import { TextField, UuidField } from '../../platform/http/input/fields';

export class AddManagerNoteDto {
  @TextField({
    max: 10_000,
    example: 'Called back, all is well',
    description: 'One entry. Line breaks are kept; other control characters become blanks',
  })
  notes: string;
}

export class ManagerNotesDto {
  @UuidField({ description: 'The call' })
  id: string;

  @ApiProperty({
    example: '[2026-01-31T12:00:00.000Z] Ana Souza: Called back, all is well',
    description:
      'All entries, each with its time and author; further lines of an entry are indented by two spaces',
  })
  manager_notes: string;
}
