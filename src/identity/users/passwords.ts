import { hash, verify } from '@node-rs/argon2';
import { dictionary } from '@zxcvbn-ts/language-common';
import { registerDecorator } from 'class-validator';
import { applyDecorators } from '@nestjs/common';
import { TextField } from '../../platform/http/input/fields';

/** Argon2id (the library's default) with the parameters that OWASP recommends: 19 MiB, two passes, one lane. */
const ARGON2 = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export const hashPassword = (password: string): Promise<string> => hash(password, ARGON2);

let decoyHash: Promise<string> | undefined;

/**
 * Whether the password matches the hash. Without a hash (unknown account, or no password chosen yet) a decoy
 * hash is verified and the result is false, so that response times do not reveal which accounts exist.
 */
export async function verifyPassword(passwordHash: string | null, password: string): Promise<boolean> {
  decoyHash ??= hashPassword('decoy');
  const matches = await verify(passwordHash ?? (await decoyHash), password);
  return passwordHash !== null && matches;
}

let commonPasswords: Set<string> | undefined;

/** Whether the password is exactly one of the 10,000 most common ones. */
export function isCommonPassword(password: string): boolean {
  // The list is sorted by frequency, most common first.
  commonPasswords ??= new Set(dictionary['passwords-common'].slice(0, 10_000));
  return commonPasswords.has(password);
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

/** A password that a user chooses: 8 to 128 characters, and none of the 10,000 most common ones. */
export function NewPasswordField(options: { optional?: boolean } = {}): PropertyDecorator {
  return applyDecorators(
    TextField({ min: 8, max: 128, example: 'correct horse battery', ...options }),
    IsNotCommonPassword(),
  );
}
