-- What the code keeps true of a row, the database keeps too: closed sets, the order of dates, amounts, a state and its
-- timestamps. Prisma's schema cannot express a CHECK and leaves those of the database alone; the schema's comments name them.
-- Rows that do not fit are put right first with the least that does it, and counted in a notice.

-- Otherwise a row changed here would wait for its keys to be looked at, and its table could not be altered.
SET CONSTRAINTS ALL IMMEDIATE;

DO $$
DECLARE rule record;
DECLARE changed bigint;
BEGIN
  FOR rule IN SELECT * FROM (VALUES
    ('teams', 'plan', $q$plan IN ('free', 'pro', 'deleted')$q$, $q$plan = 'free'$q$),
    ('api_keys', 'type', $q$type IN ('secret', 'restricted')$q$, $q$type = 'restricted'$q$),

    ('packets', 'status', $q$status IN ('active', 'archived')$q$, $q$status = 'active'$q$),
    ('packets', 'archived_at', $q$(status = 'archived') = (archived_at IS NOT NULL)$q$,
      $q$archived_at = CASE WHEN status = 'archived' THEN updated_at END$q$),
    ('packets', 'default_is_active', $q$status = 'active' OR NOT is_default$q$, $q$is_default = false$q$),
    ('packets', 'lists', $q$jsonb_typeof(rules) = 'array' AND jsonb_typeof(fees) = 'array'$q$,
      $q$rules = CASE jsonb_typeof(rules) WHEN 'array' THEN rules ELSE '[]' END,
         fees = CASE jsonb_typeof(fees) WHEN 'array' THEN fees ELSE '[]' END$q$),
    ('packets', 'amounts', $q$NOT jsonb_path_exists(fees, '$[*].amount_cents ? (@ < 0)')$q$,
      $q$fees = (SELECT jsonb_agg(CASE WHEN (f->>'amount_cents')::numeric < 0 THEN jsonb_set(f, '{amount_cents}', '0') ELSE f END)
                 FROM jsonb_array_elements(fees) f)$q$),

    ('reservations', 'dates', $q$checkout_date > checkin_date$q$, $q$checkout_date = checkin_date + 1$q$),
    ('reservations', 'initial_status', $q$initial_status IN ('draft', 'synced')$q$, $q$initial_status = 'draft'$q$),
    ('reservations', 'signed', $q$(status = 'signed') = (signed_at IS NOT NULL)$q$,
      $q$signed_at = CASE WHEN status = 'signed' THEN updated_at END$q$),
    ('reservations', 'signature', $q$status = 'signed' OR signature_id IS NULL$q$, $q$signature_id = NULL$q$),
    ('reservations', 'sent', $q$status NOT IN ('sent', 'opened', 'clicked') OR sent_at IS NOT NULL$q$,
      $q$sent_at = coalesce(opened_at, clicked_at, updated_at)$q$),
    ('reservations', 'opened', $q$status <> 'opened' OR opened_at IS NOT NULL$q$, $q$opened_at = updated_at$q$),
    ('reservations', 'clicked', $q$status <> 'clicked' OR clicked_at IS NOT NULL$q$, $q$clicked_at = updated_at$q$),
    ('reservations', 'expired', $q$status <> 'expired' OR expired_at IS NOT NULL$q$, $q$expired_at = updated_at$q$),
    ('reservations', 'cancelled', $q$(cancelled_at IS NULL) = (cancel_reason IS NULL) AND (status = 'ignored' OR cancelled_at IS NULL)$q$,
      $q$cancelled_at = CASE WHEN status = 'ignored' THEN coalesce(cancelled_at, updated_at) END,
         cancel_reason = CASE WHEN status = 'ignored' THEN coalesce(cancel_reason, 'host') END$q$),
    ('reservations', 'cancel_reason', $q$cancel_reason IN ('api', 'host', 'feed_removed')$q$, $q$cancel_reason = 'host'$q$),
    ('reservations', 'feed_misses', $q$feed_misses >= 0$q$, $q$feed_misses = 0$q$),
    ('retired_tokens', 'reason', $q$reason IN ('replaced', 'cancelled', 'expired')$q$, $q$reason = 'replaced'$q$),
    ('guest_codes', 'purpose', $q$purpose IN ('contact', 'signing')$q$, $q$purpose = 'signing'$q$),
    ('guest_codes', 'attempts', $q$attempts >= 0$q$, $q$attempts = 0$q$),

    ('signatures', 'sealed', $q$sealed_at IS NULL OR pdf_sha256 IS NOT NULL$q$, $q$sealed_at = NULL$q$),
    ('signatures', 'redacted', $q$redacted_at IS NULL OR (pdf IS NULL AND photo IS NULL AND drawn_signature IS NULL AND signer_email IS NULL)$q$,
      $q$pdf = NULL, photo = NULL, drawn_signature = NULL, signer_email = NULL$q$),

    ('sync_sources', 'kind', $q$kind IN ('channel_a_ical', 'channel_b_ical', 'channel_c_ical', 'forward_email')$q$,
      $q$kind = CASE WHEN inbound_token IS NULL THEN 'channel_a_ical' ELSE 'forward_email' END$q$),
    ('sync_sources', 'failures', $q$consecutive_failures >= 0$q$, $q$consecutive_failures = 0$q$),
    ('sync_runs', 'trigger', $q$trigger IN ('schedule', 'forced')$q$, $q$trigger = 'schedule'$q$),
    ('sync_runs', 'status', $q$status IN ('running', 'succeeded', 'failed', 'unchanged')$q$, $q$status = 'failed'$q$),
    ('inbound_mails', 'status', $q$status IN ('inbox', 'applied', 'dismissed')$q$, $q$status = 'inbox'$q$),

    ('webhook_endpoints', 'status', $q$status IN ('enabled', 'disabled', 'auto_disabled')$q$, $q$status = 'disabled'$q$),
    ('webhook_endpoints', 'failures', $q$consecutive_failures >= 0$q$, $q$consecutive_failures = 0$q$),
    ('webhook_deliveries', 'status', $q$status IN ('pending', 'succeeded', 'failed')$q$, $q$status = 'failed'$q$),
    ('webhook_deliveries', 'trigger', $q$trigger IN ('event', 'retry', 'redelivery', 'test')$q$, $q$trigger = 'event'$q$),
    ('webhook_deliveries', 'attempts', $q$attempt_number >= 1 AND failures_before >= 0$q$,
      $q$attempt_number = greatest(attempt_number, 1), failures_before = greatest(failures_before, 0)$q$),

    ('mail_messages', 'status', $q$status IN ('queued', 'sent', 'captured', 'failed', 'suppressed')$q$, $q$status = 'failed'$q$),
    ('mail_messages', 'attempts', $q$attempts >= 0$q$, $q$attempts = 0$q$),
    ('request_logs', 'status', $q$status BETWEEN 100 AND 599$q$, $q$status = 500$q$)
  ) AS r(owner, name, condition, repair) LOOP
    EXECUTE format('UPDATE %I SET %s WHERE NOT (%s)', rule.owner, rule.repair, rule.condition);
    GET DIAGNOSTICS changed = ROW_COUNT;
    IF changed > 0 THEN RAISE NOTICE '% against its rule "%", put right: %', rule.owner, rule.name, changed; END IF;
    EXECUTE format('ALTER TABLE %I ADD CONSTRAINT %I CHECK (%s)', rule.owner, rule.owner || '_' || rule.name || '_check', rule.condition);
  END LOOP;
END $$;
