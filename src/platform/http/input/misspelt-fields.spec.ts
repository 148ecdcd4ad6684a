import { Body, Controller, type ExecutionContext, Post } from '@nestjs/common';
import { Type } from 'class-transformer';
import { ValidateNested } from 'class-validator';
import { ApiData } from '../openapi/openapi.decorators';
import { ObjectField, TextField } from './fields';
import { fake } from '../../../../test/support/fake';
import { nearestName, refuseMisspeltFields } from './misspelt-fields';

class Part {
  @TextField()
  label: string;
}

class Input {
  @TextField()
  name: string;

  @ValidateNested({ each: true })
  @Type(() => Part)
  parts: Part[];
}

class AnswerPart {
  @TextField()
  labels: string;
}

class Answer {
  @TextField()
  names: string;

  @ObjectField(() => AnswerPart, { optional: true })
  part: AnswerPart | null;
}

@Controller()
class Things {
  @Post()
  @ApiData(Answer)
  create(@Body() input: Input): Input {
    return input;
  }
}

const send = (body: unknown, path = '/api/v1/things') => {
  const context = {
    getClass: () => Things,
    getHandler: () => Things.prototype.create,
    switchToHttp: () => ({ getRequest: () => ({ body, path }) }),
  };
  return () => refuseMisspeltFields(fake<ExecutionContext>(context));
};

describe('refuseMisspeltFields', () => {
  it.each([
    ['known fields', { name: 'x', parts: [{ label: 'x' }] }],
    ['fields of the answer', { names: 'x', part: {}, parts: [{ labels: 'x' }] }],
    ['fields that are near to none', { title: 'x', parts: [{ title: 'x' }] }],
    ['parts of another type', { parts: ['labe', null] }],
    ['no object', ['nme']],
    ['no body', undefined],
  ])('accepts %s', (_what, body) => {
    expect(send(body)).not.toThrow();
  });

  it('accepts everything outside of the API of staff', () => {
    expect(send({ nme: 'x' }, '/api/auth/things')).not.toThrow();
  });

  it.each([
    ['nme', { nme: 'x' }],
    ['parts.1.lable', { parts: [{ label: 'x' }, { lable: 'x' }] }],
  ])('refuses %s', (field, body) => {
    expect(send(body)).toThrow(
      expect.objectContaining({ code: 'unknown_field', fields: { [field]: expect.any(Array) } }),
    );
  });
});

describe('nearestName', () => {
  it.each([
    ['nmae', 'name'],
    ['max_queue', 'max_queue_size'],
    ['max_wait_time_seconds', 'max_wait_time'],
    ['max_wait_tim', 'max_wait_time'],
    ['maxQueueSize', 'max_queue_size'],
    ['MAX-QUEUE-SIZE', 'max_queue_size'],
    ['nam', 'name'],
    // Other words that are as short.
    ['date', undefined],
    ['time', undefined],
    ['note', undefined],
    ['page', undefined],
    ['id', undefined],
    ['max', undefined],
    ['mean_', undefined],
    ['', undefined],
  ])('of %p is %p', (name, expected) => {
    expect(nearestName(name, ['name', 'to', 'max_queue_size', 'max_wait_time', 'max_wait_times'])).toBe(
      expected,
    );
  });
});
