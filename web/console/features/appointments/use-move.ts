import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { unwrap } from '../../../shared/api/client';
import { useApi } from '../../state/console-context';
import { useCommonTexts } from '../../texts/texts';
import { explain } from '../../ui/explain';
import { notifySuccess } from '../../ui/form/page-form';
import { instantOf } from '../../ui/wall-time';
import type { Span } from './calendar';
import { appointmentTexts } from './texts/texts';
import { APPOINTMENTS_KEY, readConflicts, type Appointment } from './use-appointments';
import { useFormats } from './use-formats';

interface Move {
  appointment: Appointment;
  span: Span;
  revert: () => void;
}

/**
 * Moves what was dragged: back at once if the agent has another appointment then; after a question if the customer was
 * invited, who gets an e-mail about it.
 */
export function useMove(zone: string) {
  const texts = appointmentTexts.use();
  const { error: sentences } = useCommonTexts();
  const { period } = useFormats(zone);
  const api = useApi();
  const queries = useQueryClient();
  const [question, setQuestion] = useState<Move | null>(null);
  const refuse = ({ revert }: Move, message: string) => {
    revert();
    notifications.show({ color: 'red', message, role: 'alert' });
  };
  const save = async (move: Move): Promise<void> => {
    const { appointment, span } = move;
    const body = timesOf(span, zone);
    try {
      await unwrap(api.PUT('/api/v1/appointments/{id}', { params: { path: { id: appointment.id } }, body }));
      notifySuccess(texts.moved(period(body)));
    } catch (error) {
      refuse(move, explain(error, sentences));
    }
    await queries.invalidateQueries({ queryKey: APPOINTMENTS_KEY });
  };
  const start = async (move: Move): Promise<void> => {
    const { appointment, span } = move;
    try {
      const slot = { ...timesOf(span, zone), user_id: appointment.user_id, exclude_id: appointment.id };
      const [conflict] = await readConflicts(api, slot);
      if (conflict) refuse(move, texts.movedBack(conflict.title || texts.untitled, period(conflict)));
      else if (appointment.status === 'confirmed') setQuestion(move);
      else await save(move);
    } catch (error) {
      refuse(move, explain(error, sentences));
    }
  };
  return {
    question,
    start,
    answer: (isYes: boolean) => {
      setQuestion(null);
      if (question && isYes) void save(question);
      else question?.revert();
    },
  };
}

function timesOf({ start, end }: Span, zone: string): { starts_at: string; ends_at: string } {
  return {
    starts_at: instantOf(start, zone)?.toISOString() ?? '',
    ends_at: instantOf(end, zone)?.toISOString() ?? '',
  };
}
