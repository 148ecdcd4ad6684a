/** The columns of a call `c` as a list item (CallListItemDto). */
export const CALL_LIST_COLUMNS = `c.id, c.status, c.department_id, c.department_name, c.user_id, c.user_name,
  c.customer_name, c.customer_email, c.customer_phone, c.duration, c.wait_time, c.rating, c.notes, c.has_recording,
  c.started_at, c.completed_at, c.inserted_at`;

/** The tags of a call `c` by name, as JSON. */
export const CALL_TAGS_COLUMN = `COALESCE((
    SELECT jsonb_agg(jsonb_build_object('id', t.id, 'name', t.name, 'color', t.color) ORDER BY t.name, t.id)
    FROM call_tags ct JOIN tags t ON t.id = ct.tag_id WHERE ct.call_id = c.id
  ), '[]')`;

/** The columns of a call `c` with all details (CallDetailsDto). */
export const CALL_DETAIL_COLUMNS = `${CALL_LIST_COLUMNS},
  CASE WHEN c.has_recording THEN '/api/v1/calls/' || c.id || '/recording' END AS recording_url,
  ${CALL_TAGS_COLUMN} AS tags, c.disconnected_at, c.reconnected_at, c.end_reason, c.manager_notes, c.reason,
  c.rating_comment, c.reserved_user_id`;
