import type { Department } from '../../../state/use-departments';

/** The fields with a number. `unit` is that of the number; `optional` ones may be empty: never. */
export const NUMBER_FIELDS = {
  max_queue_size: { unit: 'calls' },
  max_wait_time: { unit: 'seconds' },
  max_unanswered: { unit: 'times' },
  offer_timeout: { unit: 'seconds' },
  wrap_up_time: { unit: 'seconds' },
  priority_step: { unit: 'seconds' },
  preferred_agent_wait: { unit: 'seconds' },
  skill_relax_after: { unit: 'seconds', optional: true },
  overflow_after: { unit: 'seconds', optional: true },
  callback_attempts: { unit: 'times' },
  callback_window: { unit: 'seconds' },
} as const satisfies Record<string, { unit: 'calls' | 'seconds' | 'times'; optional?: boolean }>;

export type NumberField = keyof typeof NUMBER_FIELDS;

export const NUMBER_FIELD_NAMES = Object.keys(NUMBER_FIELDS) as NumberField[];

export const isOptional = (name: NumberField): boolean => 'optional' in NUMBER_FIELDS[name];

/** What an empty field of a number holds is an empty text. */
export type GeneralValues = Record<NumberField, number | ''> &
  Pick<Department, 'name' | 'identifier' | 'active' | 'routing' | 'agent_selection' | 'callback_enabled'> & {
    description: string;
    /** Empty for none. */
    overflow_department_id: string;
  };

export function toValues(department: Department): GeneralValues {
  const { name, identifier, active, routing, agent_selection, callback_enabled } = department;
  const numbers = Object.fromEntries(NUMBER_FIELD_NAMES.map((field) => [field, department[field] ?? '']));
  return {
    ...(numbers as Record<NumberField, number | ''>),
    name,
    identifier,
    active,
    routing,
    agent_selection,
    callback_enabled,
    description: department.description ?? '',
    overflow_department_id: department.overflow_department_id ?? '',
  };
}

/** The numbers that the form shows, by their group. The others stay as they are, whatever was typed before they were hidden. */
export function shownNumbers({
  routing,
  callback_enabled,
}: Pick<GeneralValues, 'routing' | 'callback_enabled'>) {
  const automatic: NumberField[] =
    routing === 'automatic' ? ['preferred_agent_wait', 'skill_relax_after'] : [];
  return {
    queue: ['max_queue_size', 'max_wait_time', 'priority_step', 'max_unanswered'],
    routing: ['offer_timeout', 'wrap_up_time', ...automatic],
    overflow: ['overflow_after'],
    callbacks: callback_enabled ? ['callback_attempts', 'callback_window'] : [],
  } satisfies Record<string, NumberField[]>;
}

/** @returns what the API takes; empty fields are null */
export function toBody(values: GeneralValues) {
  const { name, identifier, active, routing, agent_selection, callback_enabled } = values;
  const numbers = listShown(values).map((field) => [field, values[field] === '' ? null : values[field]]);
  return {
    ...(Object.fromEntries(numbers) as Partial<Record<NumberField, number>>),
    name,
    identifier,
    active,
    routing,
    agent_selection,
    callback_enabled,
    description: values.description || null,
    overflow_department_id: values.overflow_department_id || null,
  };
}

/** The required numbers that are shown and missing: the API leaves a null as it was, without a word. */
export function missingNumbers(values: GeneralValues): NumberField[] {
  return listShown(values).filter((field) => values[field] === '' && !isOptional(field));
}

const listShown = (values: GeneralValues): NumberField[] => Object.values(shownNumbers(values)).flat();
