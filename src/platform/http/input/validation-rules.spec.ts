import 'reflect-metadata';
import { plainToInstance, Type } from 'class-transformer';
import { getMetadataStorage, IsInt, validateSync, ValidateNested } from 'class-validator';
import { cacheValidationRules } from './validation-rules';

class Part {
  @IsInt()
  size: number;
}

class Whole {
  @ValidateNested({ each: true })
  @Type(() => Part)
  parts: Part[];
}

/** The storage belongs to the process, which other specs share. */
function cacheAnew(): void {
  Reflect.deleteProperty(getMetadataStorage(), 'getTargetValidationMetadatas');
  cacheValidationRules();
}

it('the rules of a class are collected once, also for nested objects', () => {
  const prototype = Object.getPrototypeOf(getMetadataStorage()) as ReturnType<typeof getMetadataStorage>;
  const collect = jest.spyOn(prototype, 'getTargetValidationMetadatas');
  cacheAnew();
  const whole = plainToInstance(Whole, { parts: [{ size: 1 }, { size: 2 }, { size: 'x' }] });

  const problems = validateSync(whole)[0]?.children;

  const calls = collect.mock.calls.length;
  collect.mockRestore();
  cacheAnew();
  expect(problems?.map(({ property }) => property)).toEqual(['2']);
  expect(calls).toBe(2);
});
