import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { useApp, useTexts } from '../../app/app-context';
import type { JoinForm } from '../../service/customer-api';
import type { ApiProblem } from '../../state/server.types';
import { formText } from '../../ui/form-text';
import { type JoinErrors, problemsOf } from './join-form.rules';

/** After the last key: Safari allows a page 100 changes of its history in 30 seconds. */
const KEEP_AFTER_MS = 400;

/** What is wrong with the fields, here or by the service's word, and how to send them. */
export function useJoinForm(problem: ApiProblem | null) {
  const { entry, attention, store } = useApp();
  const texts = useTexts();
  const [own, setOwn] = useState<readonly (keyof JoinForm)[]>([]);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => setOwn([]), [problem]);
  const errors = useMemo(() => {
    const refused = Object.keys(problem?.fields ?? {}) as (keyof JoinForm)[];
    const fields = own.length > 0 ? own : refused.filter((name) => name in texts.form.fields);
    return Object.fromEntries(fields.map((name) => [name, texts.form.fields[name]])) as JoinErrors;
  }, [own, problem, texts]);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (store.state.value.screen === 'joining') return;
    // The tap lets the page ring later.
    attention.unlock();
    const form = readForm(event.currentTarget);
    const wrong = problemsOf(form);
    setOwn(wrong);
    clearTimeout(timer.current);
    if (wrong.length === 0) void entry.join(form);
  };
  const keep = (form: HTMLFormElement) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => (entry.form = readForm(form)), KEEP_AFTER_MS);
  };
  return { errors, submit, keep };
}

function readForm(form: EventTarget | null): JoinForm {
  return {
    name: formText(form, 'name'),
    email: formText(form, 'email') || null,
    phone: formText(form, 'phone') || null,
    reason: formText(form, 'reason') || null,
  };
}
