import type { Department } from '../../../state/use-departments';
import { missingNumbers, toBody, toValues } from './form-values';

const DEPARTMENT = {
  name: 'Sales',
  identifier: 'sales',
  description: null,
  active: true,
  routing: 'manual',
  agent_selection: 'longest_idle',
  callback_enabled: false,
  overflow_department_id: null,
  max_queue_size: 20,
  max_wait_time: 300,
  max_unanswered: 3,
  offer_timeout: 20,
  wrap_up_time: 0,
  priority_step: 60,
  preferred_agent_wait: 30,
  skill_relax_after: null,
  overflow_after: 120,
  callback_attempts: 2,
  callback_window: 600,
} as Department;

const values = toValues(DEPARTMENT);

describe('the values of the form', () => {
  it('are saved as they were read', () => {
    const all = { routing: 'automatic', callback_enabled: true } as const;
    expect(toBody({ ...values, ...all })).toEqual({ ...DEPARTMENT, ...all });
  });

  it('leave out the numbers that are hidden, of which any may be typed', () => {
    const body = toBody({ ...values, callback_window: 0, preferred_agent_wait: '' });
    expect(Object.keys(body)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(callback_window|preferred_agent_wait)$/)]),
    );
  });

  it('have empty texts for what is null', () => {
    expect(values).toMatchObject({ description: '', overflow_department_id: '', skill_relax_after: '' });
  });

  it.each([
    [{}, []],
    [{ overflow_after: '' as const }, []],
    [{ callback_window: '' as const, preferred_agent_wait: '' as const }, []],
    [{ callback_enabled: true, callback_window: '' as const }, ['callback_window']],
    [{ routing: 'automatic' as const, preferred_agent_wait: '' as const }, ['preferred_agent_wait']],
    [{ wrap_up_time: 0 }, []],
    [{ max_queue_size: '' as const, offer_timeout: '' as const }, ['max_queue_size', 'offer_timeout']],
  ])('with %p lack %p', (change, missing) => {
    expect(missingNumbers({ ...values, ...change })).toEqual(missing);
  });
});
