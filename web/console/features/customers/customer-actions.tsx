import { Button } from '@mantine/core';
import { notifySuccess } from '../../ui/form/page-form';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { unwrap, type components } from '../../../shared/api/client';
import { useApi, useHasRole } from '../../state/console-context';
import { useCommonTexts } from '../../texts/texts';
import { ConfirmButton } from '../../ui/confirm-button';
import { jsonFile, saveFile } from '../../ui/save-file';
import { useAttempt } from '../../ui/use-attempt';
import { MergeWithButton } from './duplicates/merge-with-button';
import { EraseButton } from './erasure/erase-button';
import { customerTexts } from './texts/texts';
import { CUSTOMERS_KEY, type Customer } from './use-customers';

interface CustomerActionsProps {
  customer: Customer;
  onErased: (receipt: components['schemas']['ErasureReceiptDto']) => void;
}

/** Export, merging, deletion and erasure, for those who may. */
export function CustomerActions({ customer, onErased }: CustomerActionsProps) {
  const texts = customerTexts.use();
  const common = useCommonTexts();
  const api = useApi();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const attempt = useAttempt();
  const isSupervisor = useHasRole('supervisor');
  const isManager = useHasRole('manager');
  const path = { id: customer.id };
  const exportData = async () => {
    const { data } = await unwrap(api.GET('/api/v1/customers/{id}/export', { params: { path } }));
    saveFile(`customer-${customer.id}.json`, jsonFile(data));
  };
  const remove = async () => {
    await unwrap(api.DELETE('/api/v1/customers/{id}', { params: { path } }));
    notifySuccess(texts.deleted(customer.name));
    await navigate({ to: '/customers', ignoreBlocker: true });
    await queries.invalidateQueries({ queryKey: CUSTOMERS_KEY });
  };
  if (!isSupervisor) return null;
  return (
    <>
      <Button variant="default" onClick={() => attempt(exportData)} data-testid="customer-export">
        {texts.exportData}
      </Button>
      <MergeWithButton customer={customer} />
      <ConfirmButton
        label={common.remove}
        question={texts.deleteQuestion(customer.name)}
        action={remove}
        data-testid="customer-delete"
      />
      {isManager && <EraseButton customer={customer} onErased={onErased} />}
    </>
  );
}
