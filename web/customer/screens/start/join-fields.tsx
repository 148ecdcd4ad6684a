import { useTexts } from '../../app/app-context';
import type { JoinForm } from '../../service/customer-api';
import { Field } from '../../ui/field';
import type { JoinErrors } from './join-form.rules';

interface JoinFieldsProps {
  errors: JoinErrors;
  values: JoinForm;
  isEmailRequired?: boolean;
}

/** The fields. The page of the server has the same ones, so that what was typed before the script ran is kept. */
export function JoinFields({ errors, values, isEmailRequired = false }: JoinFieldsProps) {
  const { form } = useTexts();
  return (
    <>
      <Field id="join-name" label={form.name} error={errors.name}>
        {(attributes) => (
          <input
            {...attributes}
            name="name"
            type="text"
            autocomplete="name"
            required
            maxLength={255}
            defaultValue={values.name}
          />
        )}
      </Field>
      <Field id="join-email" label={form.email} isOptional={!isEmailRequired} error={errors.email}>
        {(attributes) => (
          <input
            {...attributes}
            name="email"
            type="email"
            autocomplete="email"
            inputMode="email"
            required={isEmailRequired}
            maxLength={254}
            defaultValue={values.email ?? ''}
          />
        )}
      </Field>
      <Field id="join-phone" label={form.phone} isOptional error={errors.phone}>
        {(attributes) => (
          <input
            {...attributes}
            name="phone"
            type="tel"
            autocomplete="tel"
            maxLength={40}
            defaultValue={values.phone ?? ''}
          />
        )}
      </Field>
      <Field id="join-reason" label={form.reason} isOptional error={errors.reason}>
        {(attributes) => (
          <textarea
            {...attributes}
            name="reason"
            rows={2}
            maxLength={2000}
            defaultValue={values.reason ?? ''}
          />
        )}
      </Field>
    </>
  );
}
