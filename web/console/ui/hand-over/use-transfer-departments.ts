import { useQuery } from '@tanstack/react-query';
import { unwrap } from '../../../shared/api/client';
import { useApi } from '../../state/console-context';
import { useZone } from '../../state/use-zone';
import { useLanguage } from '../../texts/language';
import { formatDateTime } from '../dates';
import { handOverTexts } from './texts/texts';

/** How often the state of the departments is asked for while somebody chooses one. */
const REFRESH_MS = 5000;

/** A department to which a call can be transferred, for a select. */
export interface DepartmentOption {
  value: string;
  name: string;
  /** The name with how many wait there, or why it takes no calls now. */
  label: string;
  disabled: boolean;
}

/** The departments to which an active call of the user, or of anybody for supervisors, can be transferred. */
export function useTransferDepartments(callId: string) {
  const api = useApi();
  const texts = handOverTexts.use();
  const language = useLanguage();
  const zone = useZone()?.name;
  const { data, error, refetch } = useQuery({
    queryKey: ['calls', callId, 'transfer-departments'],
    queryFn: async () => {
      const params = { path: { id: callId } };
      return (await unwrap(api.GET('/api/v1/calls/{id}/transfer/departments', { params }))).data;
    },
    refetchInterval: REFRESH_MS,
  });
  const options = data?.map((department): DepartmentOption => {
    const { department_id: value, department_name: name, open, opens_at, full, queue_size } = department;
    const state = !open
      ? texts.closed(formatDateTime(opens_at, language, zone))
      : full
        ? texts.full(queue_size)
        : texts.waiting(queue_size);
    return { value, name, label: `${name} (${state})`, disabled: !open || full };
  });
  return { options, error, refetch };
}
