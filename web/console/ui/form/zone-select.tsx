import { Select, type SelectProps } from '@mantine/core';
import { useMemo } from 'react';

/** All that are found while nothing is typed would take long to show. */
const MAX_SHOWN = 50;

/** Chooses an IANA time zone by typing a part of its name. */
export function ZoneSelect(props: SelectProps & { value?: string | null }) {
  const { value } = props;
  const zones = useMemo(
    () => [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone'), ...(value ? [value] : [])])].sort(),
    [value],
  );
  return (
    <Select {...props} data={zones} searchable limit={MAX_SHOWN} allowDeselect={props.clearable ?? false} />
  );
}
