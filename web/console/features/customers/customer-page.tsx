import { Anchor, Button, Group, Skeleton, Text, Title } from '@mantine/core';
import { notifySuccess } from '../../ui/form/page-form';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiError, type components } from '../../../shared/api/client';
import { useCommonTexts } from '../../texts/texts';
import { Page } from '../../ui/page';
import { ProblemNotice } from '../../ui/problem-notice';
import { CustomerActions } from './customer-actions';
import { CustomerCalls } from './customer-calls';
import { CustomerDialog } from './customer-dialog';
import { CustomerFacts } from './customer-facts';
import { ErasureReceipt } from './erasure/erasure-receipt';
import { customerTexts } from './texts/texts';
import { useCustomer } from './use-customers';

type Receipt = components['schemas']['ErasureReceiptDto'];

/** One customer; after an erasure its receipt. */
export default function CustomerPage() {
  const { id = '' } = useParams({ strict: false });
  const [receipt, setReceipt] = useState<Receipt | null>(null);
  return receipt ? <ErasureReceipt receipt={receipt} /> : <CustomerView id={id} onErased={setReceipt} />;
}

/** Details, earlier calls, and what the law lets a person ask for. */
function CustomerView({ id, onErased }: { id: string; onErased: (receipt: Receipt) => void }) {
  const texts = customerTexts.use();
  const common = useCommonTexts();
  const { data: customer, error, isPending, refetch } = useCustomer(id);
  const [isEditing, setEditing] = useState(false);
  const isGone = error instanceof ApiError && error.status === 404;
  return (
    <Page
      title={customer?.name ?? texts.customer}
      actions={
        customer && (
          <>
            <CustomerActions customer={customer} onErased={onErased} />
            <Button onClick={() => setEditing(true)} data-testid="customer-edit">
              {common.edit}
            </Button>
          </>
        )
      }
    >
      <Group>
        <Anchor component={Link} to="/customers">
          {texts.backToList}
        </Anchor>
      </Group>
      {isGone ? <Text>{texts.gone}</Text> : <ProblemNotice error={error} onRetry={refetch} />}
      {isPending && <Skeleton height={160} />}
      {customer && (
        <>
          <CustomerFacts customer={customer} />
          <Title order={2} size="h4">
            {texts.earlierCalls}
          </Title>
          <CustomerCalls customerId={customer.id} />
        </>
      )}
      {customer && isEditing && (
        <CustomerDialog
          customer={customer}
          onClose={() => setEditing(false)}
          onSaved={() => {
            setEditing(false);
            notifySuccess(common.saved);
          }}
        />
      )}
    </Page>
  );
}
