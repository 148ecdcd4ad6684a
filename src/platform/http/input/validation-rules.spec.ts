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

it('the rules of a class are collected once, also for nested objects', () => {
  const prototype = Object.getPrototypeOf(getMetadataStorage()) as ReturnType<typeof getMetadataStorage>;
  const collect = jest.spyOn(prototype, 'getTargetValidationMetadatas');
  // The storage belongs to the process: another spec may have replaced its method already.
  Reflect.deleteProperty(getMetadataStorage(), 'getTargetValidationMetadatas');
  cacheValidationRules();
  const whole = plainToInstance(Whole, { parts: [{ size: 1 }, { size: 2 }, { size: 'x' }] });

  const problems = validateSync(whole)[0]?.children;

  expect(problems?.map(({ property }) => property)).toEqual(['2']);
  expect(collect).toHaveBeenCalledTimes(2);
  collect.mockRestore();
});
