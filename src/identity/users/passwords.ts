import { hash, verify } from '@node-rs/argon2';
import { dictionary } from '@zxcvbn-ts/language-common';
import { registerDecorator } from 'class-validator';
import { applyDecorators } from '@nestjs/common';
import { TextField } from '../../platform/http/input/fields';

/** Argon2id, the library's default, with OWASP's recommendation: 19 MiB, two passes, one lane. */
const ARGON2 = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export const hashPassword = (password: string): Promise<string> => hash(password, ARGON2);

let decoy: Promise<string> | undefined;

/**
 * Whether the password fits. Without a hash (an unknown account, or one that has no password yet) it does
 * the same work and says no, so that the time of an answer tells nothing.
 */
export async function passwordFits(passwordHash: string | null, password: string): Promise<boolean> {
  decoy ??= hashPassword('nobody has this password');
  const fits = await verify(passwordHash ?? (await decoy), password);
  return passwordHash !== null && fits;
}

let common: Set<string> | undefined;

/** Whether the password is among the 10,000 commonest ones, letter for letter. */
export function isCommonPassword(password: string): boolean {
  // The list is sorted by how common a password is.
  common ??= new Set(dictionary['passwords-common'].slice(0, 10_000));
  return common.has(password);
}

function NotCommon(): PropertyDecorator {
  return (target, property) => {
    registerDecorator({
      name: 'notCommon',
      target: target.constructor,
      propertyName: String(property),
      validator: {
        validate: (value: unknown) => typeof value !== 'string' || !isCommonPassword(value),
        defaultMessage: () => 'is one of the commonest passwords; choose another',
      },
    });
  };
}

/** A password that somebody chooses: 8 to 128 characters, none of the commonest. */
export function NewPasswordField(options: { optional?: boolean } = {}): PropertyDecorator {
  return applyDecorators(
    TextField({ min: 8, max: 128, example: 'correct horse battery', ...options }),
    NotCommon(),
  );
}
