import { dictionary } from '@zxcvbn-ts/language-common';
import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { registerDecorator, ValidateIf } from 'class-validator';
import { applyDecorators } from '@nestjs/common';
import { TextField } from '../../platform/http/input/fields';

let commonPasswords: Set<string> | undefined;

/** Whether the password, in NFKC, is exactly one of the 10,000 most common ones. */
export function isCommonPassword(password: string): boolean {
  // The list is sorted by frequency, most common first.
  commonPasswords ??= new Set(dictionary['passwords-common'].slice(0, 10_000));
  return commonPasswords.has(password.normalize('NFKC'));
}

function IsNotCommonPassword(): PropertyDecorator {
  return (target, property) => {
    registerDecorator({
      name: 'notCommon',
      target: target.constructor,
      propertyName: String(property),
      validator: {
        validate: (value: unknown) => typeof value !== 'string' || !isCommonPassword(value),
        defaultMessage: () => 'is one of the most common passwords; choose another',
      },
    });
  };
}

/** The longest password that is compared: in NFD, letters with accents have several characters. */
export const MAX_TYPED_LENGTH = 512;

const inNfkc = Transform(({ value }: { value: unknown }) =>
  typeof value === 'string' ? value.normalize('NFKC') : value,
);

/** A password that a user chooses: 8 to 128 characters in NFKC, and none of the 10,000 most common ones. */
export function NewPasswordField(
  options: { optional?: boolean; description?: string } = {},
): PropertyDecorator {
  return applyDecorators(
    TextField({ min: 8, max: 128, example: 'correct horse battery', ...options }),
    IsNotCommonPassword(),
    inNfkc,
  );
}

/** As NewPasswordField, for an update: it can be left out, but a null or empty one is refused, since it would change nothing. */
export function ChangedPasswordField(description: string): PropertyDecorator {
  return applyDecorators(
    NewPasswordField({ description }),
    ValidateIf((_body, value: unknown) => value !== undefined),
    ApiProperty({ required: false }),
  );
}
