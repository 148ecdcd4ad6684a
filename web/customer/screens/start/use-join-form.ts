import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { useApp, useTexts } from '../../app/app-context';
import type { JoinForm } from '../../service/customer-api';
import type { ApiProblem } from '../../state/server.types';
import { formText } from '../../ui/form-text';
import { type JoinErrors, problemsOf } from './join-form.rules';

/** After the last key: Safari allows a page 100 changes of its history in 30 seconds. */
const KEEP_AFTER_MS = 400;

interface JoinFormOptions {
  isEmailRequired?: boolean;
  /** Whether the service knows the name. */
  isNameKnown?: boolean;
  isBusy: boolean;
  send: (form: JoinForm) => void;
}

/** What is wrong with the fields, here or by the service's word, and how to send them. */
export function useJoinForm(problem: ApiProblem | null, { isBusy, send, ...known }: JoinFormOptions) {
  const { entry, attention } = useApp();
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
    if (isBusy) return;
    // The tap lets the page ring later.
    attention.unlock();
    const filled = readForm(event.currentTarget);
    const wrong = problemsOf(filled, known);
    setOwn(wrong);
    clearTimeout(timer.current);
    if (wrong.length === 0) send(filled);
  };
  const keep = (typed: HTMLFormElement) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => (entry.form = readForm(typed)), KEEP_AFTER_MS);
  };
  const form = useRef<HTMLFormElement>(null);
  // In the page of the server, until the script takes it over: a press of the button would be lost.
  const [isReady, setReady] = useState(false);
  useLayoutEffect(() => {
    setReady(true);
    // What was typed before the script ran.
    if (form.current) keep(form.current);
  }, []);
  useEffect(() => {
    if (Object.keys(errors).length > 0) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [errors]);
  return { form, isReady, errors, submit, keep };
}

function readForm(form: EventTarget | null): JoinForm {
  return {
    name: formText(form, 'name'),
    email: formText(form, 'email') || null,
    phone: formText(form, 'phone') || null,
    reason: formText(form, 'reason') || null,
  };
}
