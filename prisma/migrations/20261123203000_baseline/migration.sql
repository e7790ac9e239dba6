-- CreateEnum
CREATE TYPE "Mode" AS ENUM ('live', 'test');

-- CreateEnum
CREATE TYPE "ReservationStatus" AS ENUM ('draft', 'synced', 'sent', 'opened', 'clicked', 'signed', 'expired', 'ignored');

-- CreateEnum
CREATE TYPE "ReservationSource" AS ENUM ('channel_a', 'channel_b', 'channel_c', 'direct');

-- CreateEnum
CREATE TYPE "ObjectState" AS ENUM ('writing', 'kept', 'removing');

-- CreateEnum
CREATE TYPE "SealOrigin" AS ENUM ('made', 'file', 'imported');

-- CreateTable
CREATE TABLE "users" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "email_verified" BOOLEAN NOT NULL DEFAULT false,
    "image" TEXT,
    "two_factor_enabled" BOOLEAN DEFAULT false,
    "locale" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "users_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sessions" (
    "id" TEXT NOT NULL,
    "token" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "ip_address" TEXT,
    "user_agent" TEXT,
    "active_team_id" TEXT,
    "user_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sessions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "accounts" (
    "id" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "provider_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "access_token" TEXT,
    "refresh_token" TEXT,
    "id_token" TEXT,
    "access_token_expires_at" TIMESTAMPTZ(3),
    "refresh_token_expires_at" TIMESTAMPTZ(3),
    "scope" TEXT,
    "password" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "accounts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "verifications" (
    "id" TEXT NOT NULL,
    "identifier" TEXT NOT NULL,
    "value" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "verifications_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "tallies" (
    "key" TEXT NOT NULL,
    "count" INTEGER NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "tallies_pkey" PRIMARY KEY ("key")
);

-- CreateTable
CREATE TABLE "two_factors" (
    "id" TEXT NOT NULL,
    "secret" TEXT NOT NULL,
    "backup_codes" TEXT NOT NULL,
    "verified" BOOLEAN NOT NULL DEFAULT true,
    "failed_verification_count" INTEGER NOT NULL DEFAULT 0,
    "locked_until" TIMESTAMPTZ(3),
    "user_id" TEXT NOT NULL,

    CONSTRAINT "two_factors_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "teams" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "slug" TEXT NOT NULL,
    "logo" TEXT,
    "metadata" TEXT,
    "plan" TEXT NOT NULL DEFAULT 'free',
    "property_limit" INTEGER,
    "packet_limit" INTEGER,
    "legal_name" TEXT,
    "postal_address" TEXT,
    "contact_email" TEXT,
    "is_first" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "teams_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "members" (
    "id" TEXT NOT NULL,
    "team_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "role" TEXT NOT NULL DEFAULT 'member',
    "saved_views" JSONB NOT NULL DEFAULT '[]',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "members_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "push_subscriptions" (
    "id" TEXT NOT NULL,
    "member_id" TEXT NOT NULL,
    "session_id" TEXT NOT NULL,
    "endpoint_hash" TEXT NOT NULL,
    "secret" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "push_subscriptions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "invitations" (
    "id" TEXT NOT NULL,
    "team_id" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "role" TEXT,
    "status" TEXT NOT NULL DEFAULT 'pending',
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "inviter_id" TEXT NOT NULL,
    "token_hash" TEXT,
    "mail_id" TEXT,

    CONSTRAINT "invitations_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "api_keys" (
    "id" TEXT NOT NULL,
    "team_id" TEXT NOT NULL,
    "mode" "Mode" NOT NULL,
    "name" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "scopes" TEXT[],
    "ip_allow" TEXT[],
    "prefix" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "last4" TEXT NOT NULL,
    "created_by" TEXT,
    "last_used_at" TIMESTAMPTZ(3),
    "expires_at" TIMESTAMPTZ(3),
    "successor_id" TEXT,
    "revoked_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "api_keys_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "device_logins" (
    "device_code_hash" TEXT NOT NULL,
    "user_code_hash" TEXT NOT NULL,
    "device_name" TEXT,
    "key_mode" "Mode" NOT NULL,
    "scopes" TEXT[],
    "ip" TEXT,
    "key_days" INTEGER,
    "interval_s" INTEGER NOT NULL,
    "polled_at" TIMESTAMPTZ(3),
    "member_id" TEXT,
    "refused_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "device_logins_pkey" PRIMARY KEY ("device_code_hash")
);

-- CreateTable
CREATE TABLE "properties" (
    "id" TEXT NOT NULL,
    "team_id" TEXT NOT NULL,
    "mode" "Mode" NOT NULL,
    "name" TEXT NOT NULL,
    "address" TEXT,
    "brand_color" TEXT,
    "logo_url" TEXT,
    "subdomain" TEXT,
    "custom_domain" TEXT,
    "custom_domain_verified_at" TIMESTAMPTZ(3),
    "custom_domain_checked_at" TIMESTAMPTZ(3),
    "custom_domain_confirmed_at" TIMESTAMPTZ(3),
    "custom_domain_failures" INTEGER NOT NULL DEFAULT 0,
    "custom_domain_failing_since" TIMESTAMPTZ(3),
    "custom_domain_lapsed_at" TIMESTAMPTZ(3),
    "timezone" TEXT,
    "auto_send_packet" BOOLEAN NOT NULL DEFAULT false,
    "auto_send_offset_hours" INTEGER,
    "auto_reminders" BOOLEAN NOT NULL DEFAULT false,
    "lat" DOUBLE PRECISION,
    "lng" DOUBLE PRECISION,
    "city" TEXT,
    "photo_required" BOOLEAN NOT NULL DEFAULT false,
    "otp_required" BOOLEAN NOT NULL DEFAULT false,
    "required_acceptances" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[],
    "reply_to_email" TEXT,
    "parallel_stays" BOOLEAN NOT NULL DEFAULT false,
    "test_clock_id" TEXT,
    "embed_origins" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[],
    "mail_texts" JSONB NOT NULL DEFAULT '{}',
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "properties_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "test_clocks" (
    "id" TEXT NOT NULL,
    "team_id" TEXT NOT NULL,
    "mode" "Mode" NOT NULL,
    "name" TEXT,
    "frozen_time" TIMESTAMPTZ(3) NOT NULL,
    "target_time" TIMESTAMPTZ(3),
    "retries_time" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "test_clocks_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "property_logos" (
    "id" TEXT NOT NULL,
    "team_id" TEXT NOT NULL,
    "mode" "Mode" NOT NULL,
    "property_id" TEXT NOT NULL,
    "media_type" TEXT NOT NULL,
    "bytes" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "property_logos_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "packets" (
    "id" TEXT NOT NULL,
    "team_id" TEXT NOT NULL,
    "mode" "Mode" NOT NULL,
    "property_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "is_default" BOOLEAN NOT NULL DEFAULT false,
    "status" TEXT NOT NULL DEFAULT 'active',
    "archived_at" TIMESTAMPTZ(3),
    "welcome_message" TEXT,
    "currency" TEXT NOT NULL DEFAULT 'USD',
    "rules" JSONB NOT NULL DEFAULT '[]',
    "fees" JSONB NOT NULL DEFAULT '[]',
    "arrival_details" JSONB NOT NULL DEFAULT '{}',
    "arrival_release" JSONB NOT NULL DEFAULT '{}',
    "safety_notes" TEXT,
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "packets_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "packet_revisions" (
    "id" TEXT NOT NULL,
    "team_id" TEXT NOT NULL,
    "mode" "Mode" NOT NULL,
    "packet_id" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "content" JSONB NOT NULL,
    "changed_by" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "packet_revisions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "reservations" (
    "id" TEXT NOT NULL,
    "team_id" TEXT NOT NULL,
    "mode" "Mode" NOT NULL,
    "property_id" TEXT NOT NULL,
    "packet_id" TEXT,
    "guest_name" TEXT NOT NULL,
    "guest_email" TEXT,
    "guest_email_relay" BOOLEAN NOT NULL DEFAULT false,
    "locale" TEXT,
    "guest_locale" TEXT,
    "guest_phone_last4" TEXT,
    "checkin_date" DATE NOT NULL,
    "checkout_date" DATE NOT NULL,
    "source" "ReservationSource" NOT NULL DEFAULT 'direct',
    "status" "ReservationStatus" NOT NULL DEFAULT 'draft',
    "initial_status" "ReservationStatus" NOT NULL DEFAULT 'draft',
    "sent_at" TIMESTAMPTZ(3),
    "opened_at" TIMESTAMPTZ(3),
    "clicked_at" TIMESTAMPTZ(3),
    "signed_at" TIMESTAMPTZ(3),
    "expired_at" TIMESTAMPTZ(3),
    "cancelled_at" TIMESTAMPTZ(3),
    "cancel_reason" TEXT,
    "signature_id" TEXT,
    "manual_override" BOOLEAN NOT NULL DEFAULT false,
    "redacted" BOOLEAN NOT NULL DEFAULT false,
    "legal_hold" BOOLEAN NOT NULL DEFAULT false,
    "selfie_required" BOOLEAN NOT NULL DEFAULT false,
    "otp_required" BOOLEAN NOT NULL DEFAULT false,
    "external_source" TEXT,
    "external_id" TEXT,
    "external_uid" TEXT,
    "sync_source_id" TEXT,
    "feed_misses" INTEGER NOT NULL DEFAULT 0,
    "feed_first_missed_at" TIMESTAMPTZ(3),
    "auto_sent_at" TIMESTAMPTZ(3),
    "reminder_24h_sent_at" TIMESTAMPTZ(3),
    "reminder_2h_sent_at" TIMESTAMPTZ(3),
    "late_notified_at" TIMESTAMPTZ(3),
    "dates_changed_after_send_at" TIMESTAMPTZ(3),
    "guest_reply" TEXT,
    "guest_reply_at" TIMESTAMPTZ(3),
    "arrival_details_held_at" TIMESTAMPTZ(3),
    "arrival_details_released_at" TIMESTAMPTZ(3),
    "arrival_details_viewed_at" TIMESTAMPTZ(3),
    "arrival_release_override_at" TIMESTAMPTZ(3),
    "arrival_release_override_by" TEXT,
    "arrival_release_override_reason" TEXT,
    "arrival_override_groups" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "token_generation" INTEGER NOT NULL DEFAULT 0,
    "signing_token_hash" TEXT,
    "share_generation" INTEGER NOT NULL DEFAULT 0,
    "share_token_hash" TEXT,
    "nights_changed" BOOLEAN NOT NULL DEFAULT true,
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "reservations_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "same_nights" (
    "reservation_id" TEXT NOT NULL,
    "other_id" TEXT NOT NULL,
    "team_id" TEXT NOT NULL,
    "mode" "Mode" NOT NULL,
    "both_real_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "same_nights_pkey" PRIMARY KEY ("reservation_id","other_id")
);

-- CreateTable
CREATE TABLE "trail_entries" (
    "id" TEXT NOT NULL,
    "team_id" TEXT NOT NULL,
    "mode" "Mode" NOT NULL,
    "reservation_id" TEXT NOT NULL,
    "seq" INTEGER NOT NULL,
    "type" TEXT NOT NULL,
    "actor" TEXT,
    "ip" TEXT,
    "user_agent" TEXT,
    "data" JSONB NOT NULL DEFAULT '{}',
    "prev_hash" TEXT,
    "hash" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "trail_entries_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "retired_tokens" (
    "hash" TEXT NOT NULL,
    "team_id" TEXT NOT NULL,
    "mode" "Mode" NOT NULL,
    "reservation_id" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "retired_tokens_pkey" PRIMARY KEY ("hash")
);

-- CreateTable
CREATE TABLE "guest_codes" (
    "id" TEXT NOT NULL,
    "team_id" TEXT NOT NULL,
    "mode" "Mode" NOT NULL,
    "reservation_id" TEXT NOT NULL,
    "purpose" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "code_hash" TEXT NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "confirmed_at" TIMESTAMPTZ(3),
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "guest_codes_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "snapshots" (
    "id" TEXT NOT NULL,
    "team_id" TEXT NOT NULL,
    "mode" "Mode" NOT NULL,
    "content_hash" TEXT NOT NULL,
    "canonical" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "snapshots_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "signatures" (
    "id" TEXT NOT NULL,
    "team_id" TEXT NOT NULL,
    "mode" "Mode" NOT NULL,
    "reservation_id" TEXT NOT NULL,
    "property_id" TEXT NOT NULL,
    "snapshot_id" TEXT NOT NULL,
    "content_hash" TEXT NOT NULL,
    "signer_name" TEXT NOT NULL,
    "signer_email" TEXT,
    "signed_at" TIMESTAMPTZ(3) NOT NULL,
    "signed_ip" TEXT,
    "user_agent" TEXT,
    "consent_version" TEXT NOT NULL,
    "locale" TEXT NOT NULL,
    "drawn_signature" BYTEA,
    "photo" BYTEA,
    "otp_confirmed" BOOLEAN NOT NULL DEFAULT false,
    "verify_token_hash" TEXT NOT NULL,
    "copy_token_hash" TEXT NOT NULL,
    "copy_revoked_at" TIMESTAMPTZ(3),
    "pdf" BYTEA,
    "pdf_sha256" TEXT,
    "pdf_object" TEXT,
    "photo_object" TEXT,
    "sealed_at" TIMESTAMPTZ(3),
    "seal_error" TEXT,
    "redacted_at" TIMESTAMPTZ(3),
    "legal_hold" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "signatures_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "stored_objects" (
    "key" TEXT NOT NULL,
    "state" "ObjectState" NOT NULL DEFAULT 'writing',
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "stored_objects_pkey" PRIMARY KEY ("key")
);

-- CreateTable
CREATE TABLE "installation_keys" (
    "name" TEXT NOT NULL,
    "secret" TEXT NOT NULL,
    "public_pem" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "installation_keys_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "sealing_certificates" (
    "fingerprint" TEXT NOT NULL,
    "secret" TEXT NOT NULL,
    "origin" "SealOrigin" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sealing_certificates_pkey" PRIMARY KEY ("fingerprint")
);

-- CreateTable
CREATE TABLE "log_epochs" (
    "number" INTEGER NOT NULL,
    "statement" TEXT NOT NULL,
    "began_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "log_epochs_pkey" PRIMARY KEY ("number")
);

-- CreateTable
CREATE TABLE "log_entries" (
    "epoch" INTEGER NOT NULL DEFAULT 1,
    "position" INTEGER NOT NULL,
    "pdf_sha256" TEXT NOT NULL,
    "checkpoint" TEXT NOT NULL,
    "timestamp" BYTEA,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "log_entries_pkey" PRIMARY KEY ("epoch","position")
);

-- CreateTable
CREATE TABLE "log_nodes" (
    "epoch" INTEGER NOT NULL DEFAULT 1,
    "level" INTEGER NOT NULL,
    "position" INTEGER NOT NULL,
    "hash" BYTEA NOT NULL,

    CONSTRAINT "log_nodes_pkey" PRIMARY KEY ("epoch","level","position")
);

-- CreateTable
CREATE TABLE "sync_sources" (
    "id" TEXT NOT NULL,
    "team_id" TEXT NOT NULL,
    "mode" "Mode" NOT NULL,
    "property_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "feed_url" TEXT,
    "inbound_token" TEXT,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "closures_are_blocks" BOOLEAN NOT NULL DEFAULT false,
    "marked_blocks" JSONB NOT NULL DEFAULT '[]',
    "blocked_nights" JSONB NOT NULL DEFAULT '[]',
    "reading" JSONB NOT NULL DEFAULT '{}',
    "last_synced_at" TIMESTAMPTZ(3),
    "last_status" TEXT,
    "last_error" TEXT,
    "last_healthy_count" INTEGER,
    "shrunk_since" TIMESTAMPTZ(3),
    "empty_since" TIMESTAMPTZ(3),
    "empty_mailed_at" TIMESTAMPTZ(3),
    "held" JSONB NOT NULL DEFAULT '{}',
    "waiting" BOOLEAN NOT NULL DEFAULT false,
    "fingerprint" TEXT,
    "etag" TEXT,
    "last_modified" TEXT,
    "consecutive_failures" INTEGER NOT NULL DEFAULT 0,
    "failing_since" TIMESTAMPTZ(3),
    "failure_mailed_at" TIMESTAMPTZ(3),
    "next_run_at" TIMESTAMPTZ(3),
    "running_until" TIMESTAMPTZ(3),
    "running_token" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sync_sources_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sync_runs" (
    "id" TEXT NOT NULL,
    "team_id" TEXT NOT NULL,
    "mode" "Mode" NOT NULL,
    "sync_source_id" TEXT NOT NULL,
    "trigger" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "counts" JSONB NOT NULL DEFAULT '{}',
    "skipped" JSONB NOT NULL DEFAULT '[]',
    "changes" JSONB NOT NULL DEFAULT '[]',
    "http_status" INTEGER,
    "error" TEXT,
    "excerpt" TEXT,
    "duration_ms" INTEGER,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "sync_runs_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "inbound_mails" (
    "id" TEXT NOT NULL,
    "team_id" TEXT NOT NULL,
    "mode" "Mode" NOT NULL,
    "sync_source_id" TEXT NOT NULL,
    "message_id" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "reason" TEXT,
    "from_address" TEXT,
    "subject" TEXT,
    "extracted" JSONB NOT NULL DEFAULT '{}',
    "reservation_id" TEXT,
    "raw" BYTEA,
    "received_at" TIMESTAMPTZ(3) NOT NULL,
    "handled_at" TIMESTAMPTZ(3),

    CONSTRAINT "inbound_mails_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sms_messages" (
    "id" TEXT NOT NULL,
    "team_id" TEXT NOT NULL,
    "mode" "Mode" NOT NULL,
    "reservation_id" TEXT,
    "to" TEXT,
    "body" TEXT,
    "status" TEXT,
    "delivered_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sms_messages_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "webhook_endpoints" (
    "id" TEXT NOT NULL,
    "team_id" TEXT NOT NULL,
    "mode" "Mode" NOT NULL,
    "url" TEXT NOT NULL,
    "description" TEXT,
    "custom_headers" TEXT,
    "header_names" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[],
    "digest" BOOLEAN NOT NULL DEFAULT true,
    "digest_at" TIMESTAMPTZ(3),
    "portal_token_hash" TEXT,
    "portal_expires_at" TIMESTAMPTZ(3),
    "events" TEXT[],
    "status" TEXT NOT NULL DEFAULT 'enabled',
    "secret" TEXT NOT NULL,
    "secret_last4" TEXT NOT NULL,
    "previous_secrets" JSONB NOT NULL DEFAULT '[]',
    "rotated_until" TIMESTAMPTZ(3),
    "consecutive_failures" INTEGER NOT NULL DEFAULT 0,
    "failing_since" TIMESTAMPTZ(3),
    "disabled_reason" TEXT,
    "disabled_at" TIMESTAMPTZ(3),
    "warned_at" TIMESTAMPTZ(3),
    "circuit_open_until" TIMESTAMPTZ(3),
    "last_delivery_at" TIMESTAMPTZ(3),
    "last_success_at" TIMESTAMPTZ(3),
    "wake_at" TIMESTAMPTZ(3),
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "webhook_endpoints_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "webhook_deliveries" (
    "id" TEXT NOT NULL,
    "team_id" TEXT NOT NULL,
    "mode" "Mode" NOT NULL,
    "event_id" TEXT NOT NULL,
    "endpoint_id" TEXT NOT NULL,
    "event_type" TEXT NOT NULL,
    "attempt_number" INTEGER NOT NULL,
    "failures_before" INTEGER NOT NULL DEFAULT 0,
    "delivery_began_at" TIMESTAMPTZ(3) NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'pending',
    "trigger" TEXT NOT NULL DEFAULT 'event',
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "lease_until" TIMESTAMPTZ(3),
    "lease_token" TEXT,
    "status_code" INTEGER,
    "error_kind" TEXT,
    "error_message" TEXT,
    "response_body_truncated" TEXT,
    "duration_ms" INTEGER,
    "next_retry_at" TIMESTAMPTZ(3),
    "delivered_at" TIMESTAMPTZ(3),
    "attempted_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "webhook_deliveries_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "events" (
    "id" TEXT NOT NULL,
    "team_id" TEXT NOT NULL,
    "mode" "Mode" NOT NULL,
    "type" TEXT NOT NULL,
    "object_id" TEXT NOT NULL,
    "sequence" BIGINT NOT NULL,
    "body" TEXT NOT NULL,
    "request_id" TEXT,
    "relayed_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "events_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "event_counters" (
    "team_id" TEXT NOT NULL,
    "mode" "Mode" NOT NULL,
    "value" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "event_counters_pkey" PRIMARY KEY ("team_id","mode")
);

-- CreateTable
CREATE TABLE "activity_counts" (
    "team_id" TEXT NOT NULL,
    "mode" "Mode" NOT NULL,
    "minutes" INTEGER NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL,
    "created" INTEGER NOT NULL,
    "sent" INTEGER NOT NULL,
    "signed" INTEGER NOT NULL,

    CONSTRAINT "activity_counts_pkey" PRIMARY KEY ("team_id","mode","minutes","since")
);

-- CreateTable
CREATE TABLE "processes" (
    "id" TEXT NOT NULL,
    "pid" INTEGER NOT NULL,
    "start" TEXT,
    "place" TEXT NOT NULL,
    "beat" INTEGER NOT NULL DEFAULT 0,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "cron_at" TIMESTAMPTZ(3),

    CONSTRAINT "processes_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "idempotency_records" (
    "team_id" TEXT NOT NULL,
    "mode" "Mode" NOT NULL,
    "key" TEXT NOT NULL,
    "request_hash" TEXT NOT NULL,
    "status" INTEGER,
    "response_headers" JSONB,
    "response_body" TEXT,
    "encrypted" BOOLEAN NOT NULL DEFAULT false,
    "locked_until" TIMESTAMPTZ(3),
    "lock_token" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "idempotency_records_pkey" PRIMARY KEY ("team_id","mode","key")
);

-- CreateTable
CREATE TABLE "request_logs" (
    "id" TEXT NOT NULL,
    "team_id" TEXT,
    "mode" "Mode",
    "api_key_id" TEXT,
    "method" TEXT NOT NULL,
    "path" TEXT NOT NULL,
    "query" TEXT,
    "request_body" TEXT,
    "object_id" TEXT,
    "status" INTEGER NOT NULL,
    "error_code" TEXT,
    "error_body" TEXT,
    "duration_ms" INTEGER NOT NULL,
    "ip" TEXT,
    "user_agent" TEXT,
    "idempotency_key" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "request_logs_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "audit_logs" (
    "id" TEXT NOT NULL,
    "team_id" TEXT NOT NULL,
    "mode" "Mode",
    "action" TEXT NOT NULL,
    "actor" TEXT NOT NULL,
    "actor_name" TEXT,
    "object_id" TEXT,
    "ip" TEXT,
    "data" JSONB NOT NULL DEFAULT '{}',
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "audit_logs_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "mail_messages" (
    "id" TEXT NOT NULL,
    "team_id" TEXT,
    "mode" "Mode",
    "reservation_id" TEXT,
    "template" TEXT NOT NULL,
    "to" TEXT NOT NULL,
    "from" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "content" BYTEA,
    "content_until" TIMESTAMPTZ(3),
    "status" TEXT NOT NULL,
    "provider_id" TEXT,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "first_attempted_at" TIMESTAMPTZ(3),
    "lease_until" TIMESTAMPTZ(3),
    "lease_token" TEXT,
    "wake_at" TIMESTAMPTZ(3),
    "last_error" TEXT,
    "sent_at" TIMESTAMPTZ(3),
    "opened_at" TIMESTAMPTZ(3),
    "preview_until" TIMESTAMPTZ(3),
    "open_token_hash" TEXT,
    "reply_to" TEXT,
    "attachment" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "mail_messages_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "mail_suppressions" (
    "email" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "mail_suppressions_pkey" PRIMARY KEY ("email")
);

-- CreateTable
CREATE TABLE "push_notices" (
    "id" TEXT NOT NULL,
    "team_id" TEXT NOT NULL,
    "mode" "Mode" NOT NULL,
    "reservation_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "told" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "wake_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "push_notices_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "provider_events" (
    "id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "provider_events_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "engine_functions" (
    "id" TEXT NOT NULL,
    "config" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "engine_functions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "engine_events" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "payload" TEXT NOT NULL,
    "ts" TIMESTAMPTZ(3) NOT NULL,
    "received_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "engine_events_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "engine_runs" (
    "id" TEXT NOT NULL,
    "function_id" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "event_id" TEXT NOT NULL,
    "event_name" TEXT NOT NULL,
    "event" TEXT NOT NULL,
    "concurrency_key" TEXT,
    "done_steps" INTEGER NOT NULL DEFAULT 0,
    "output" TEXT,
    "error" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "started_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "engine_runs_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "engine_steps" (
    "run_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "op" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "memo" TEXT,
    "position" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "engine_steps_pkey" PRIMARY KEY ("run_id","id")
);

-- CreateTable
CREATE TABLE "engine_jobs" (
    "id" TEXT NOT NULL,
    "run_id" TEXT NOT NULL,
    "function_id" TEXT NOT NULL,
    "step_id" TEXT,
    "concurrency_key" TEXT,
    "attempt" INTEGER NOT NULL DEFAULT 0,
    "crashes" INTEGER NOT NULL DEFAULT 0,
    "run_at" TIMESTAMPTZ(3) NOT NULL,
    "lease_token" TEXT,
    "lease_until" TIMESTAMPTZ(3),
    "last_error" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "engine_jobs_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "engine_cron_ticks" (
    "function_id" TEXT NOT NULL,
    "minute" TIMESTAMPTZ(3) NOT NULL,
    "run_id" TEXT NOT NULL,

    CONSTRAINT "engine_cron_ticks_pkey" PRIMARY KEY ("function_id","minute")
);

-- CreateIndex
CREATE UNIQUE INDEX "users_email_key" ON "users"("email");

-- CreateIndex
CREATE UNIQUE INDEX "sessions_token_key" ON "sessions"("token");

-- CreateIndex
CREATE INDEX "sessions_user_id_idx" ON "sessions"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "accounts_user_id_provider_id_key" ON "accounts"("user_id", "provider_id");

-- CreateIndex
CREATE UNIQUE INDEX "accounts_provider_id_account_id_key" ON "accounts"("provider_id", "account_id");

-- CreateIndex
CREATE INDEX "verifications_identifier_idx" ON "verifications"("identifier");

-- CreateIndex
CREATE INDEX "tallies_since_idx" ON "tallies"("since");

-- CreateIndex
CREATE INDEX "two_factors_user_id_idx" ON "two_factors"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "teams_slug_key" ON "teams"("slug");

-- CreateIndex
CREATE INDEX "members_user_id_idx" ON "members"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "members_team_id_user_id_key" ON "members"("team_id", "user_id");

-- CreateIndex
CREATE INDEX "push_subscriptions_member_id_idx" ON "push_subscriptions"("member_id");

-- CreateIndex
CREATE INDEX "push_subscriptions_endpoint_hash_idx" ON "push_subscriptions"("endpoint_hash");

-- CreateIndex
CREATE UNIQUE INDEX "push_subscriptions_session_id_member_id_key" ON "push_subscriptions"("session_id", "member_id");

-- CreateIndex
CREATE UNIQUE INDEX "invitations_token_hash_key" ON "invitations"("token_hash");

-- CreateIndex
CREATE INDEX "invitations_team_id_idx" ON "invitations"("team_id");

-- CreateIndex
CREATE INDEX "invitations_email_idx" ON "invitations"("email");

-- CreateIndex
CREATE UNIQUE INDEX "api_keys_prefix_key" ON "api_keys"("prefix");

-- CreateIndex
CREATE INDEX "api_keys_successor_id_idx" ON "api_keys"("successor_id");

-- CreateIndex
CREATE INDEX "api_keys_team_id_mode_created_at_idx" ON "api_keys"("team_id", "mode", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "api_keys_id_team_id_mode_key" ON "api_keys"("id", "team_id", "mode");

-- CreateIndex
CREATE UNIQUE INDEX "device_logins_user_code_hash_key" ON "device_logins"("user_code_hash");

-- CreateIndex
CREATE INDEX "device_logins_expires_at_idx" ON "device_logins"("expires_at");

-- CreateIndex
CREATE INDEX "device_logins_member_id_idx" ON "device_logins"("member_id");

-- CreateIndex
CREATE INDEX "properties_mode_custom_domain_idx" ON "properties"("mode", "custom_domain");

-- CreateIndex
CREATE INDEX "properties_test_clock_id_idx" ON "properties"("test_clock_id");

-- CreateIndex
CREATE INDEX "properties_team_id_mode_created_at_id_idx" ON "properties"("team_id", "mode", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "properties_id_team_id_mode_key" ON "properties"("id", "team_id", "mode");

-- CreateIndex
CREATE UNIQUE INDEX "properties_mode_subdomain_key" ON "properties"("mode", "subdomain");

-- CreateIndex
CREATE INDEX "test_clocks_team_id_mode_created_at_id_idx" ON "test_clocks"("team_id", "mode", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "test_clocks_id_team_id_mode_key" ON "test_clocks"("id", "team_id", "mode");

-- CreateIndex
CREATE INDEX "property_logos_property_id_created_at_idx" ON "property_logos"("property_id", "created_at" DESC);

-- CreateIndex
CREATE INDEX "property_logos_team_id_mode_created_at_id_idx" ON "property_logos"("team_id", "mode", "created_at", "id");

-- CreateIndex
CREATE INDEX "packets_team_id_mode_property_id_status_created_at_idx" ON "packets"("team_id", "mode", "property_id", "status", "created_at");

-- CreateIndex
CREATE INDEX "packets_property_id_idx" ON "packets"("property_id");

-- CreateIndex
CREATE UNIQUE INDEX "packets_id_team_id_mode_key" ON "packets"("id", "team_id", "mode");

-- CreateIndex
CREATE INDEX "packet_revisions_team_id_mode_packet_id_idx" ON "packet_revisions"("team_id", "mode", "packet_id");

-- CreateIndex
CREATE UNIQUE INDEX "packet_revisions_packet_id_version_key" ON "packet_revisions"("packet_id", "version");

-- CreateIndex
CREATE UNIQUE INDEX "reservations_signature_id_key" ON "reservations"("signature_id");

-- CreateIndex
CREATE UNIQUE INDEX "reservations_signing_token_hash_key" ON "reservations"("signing_token_hash");

-- CreateIndex
CREATE UNIQUE INDEX "reservations_share_token_hash_key" ON "reservations"("share_token_hash");

-- CreateIndex
CREATE INDEX "reservations_team_id_mode_created_at_id_idx" ON "reservations"("team_id", "mode", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "reservations_team_id_mode_status_created_at_id_idx" ON "reservations"("team_id", "mode", "status", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "reservations_team_id_mode_property_id_created_at_id_idx" ON "reservations"("team_id", "mode", "property_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "reservations_team_id_mode_source_created_at_id_idx" ON "reservations"("team_id", "mode", "source", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "reservations_team_id_mode_checkin_date_id_idx" ON "reservations"("team_id", "mode", "checkin_date", "id");

-- CreateIndex
CREATE INDEX "reservations_team_id_mode_status_checkin_date_id_idx" ON "reservations"("team_id", "mode", "status", "checkin_date", "id");

-- CreateIndex
CREATE INDEX "reservations_property_id_status_idx" ON "reservations"("property_id", "status");

-- CreateIndex
CREATE INDEX "reservations_property_id_checkout_date_checkin_date_idx" ON "reservations"("property_id", "checkout_date", "checkin_date");

-- CreateIndex
CREATE INDEX "reservations_packet_id_idx" ON "reservations"("packet_id");

-- CreateIndex
CREATE INDEX "reservations_sync_source_id_external_id_idx" ON "reservations"("sync_source_id", "external_id");

-- CreateIndex
CREATE INDEX "reservations_status_checkout_date_idx" ON "reservations"("status", "checkout_date");

-- CreateIndex
CREATE INDEX "reservations_status_checkin_date_idx" ON "reservations"("status", "checkin_date");

-- CreateIndex
CREATE UNIQUE INDEX "reservations_id_team_id_mode_key" ON "reservations"("id", "team_id", "mode");

-- CreateIndex
CREATE INDEX "same_nights_other_id_idx" ON "same_nights"("other_id");

-- CreateIndex
CREATE INDEX "same_nights_team_id_mode_created_at_reservation_id_idx" ON "same_nights"("team_id", "mode", "created_at", "reservation_id");

-- CreateIndex
CREATE INDEX "trail_entries_team_id_mode_reservation_id_idx" ON "trail_entries"("team_id", "mode", "reservation_id");

-- CreateIndex
CREATE UNIQUE INDEX "trail_entries_reservation_id_seq_key" ON "trail_entries"("reservation_id", "seq");

-- CreateIndex
CREATE INDEX "retired_tokens_reservation_id_idx" ON "retired_tokens"("reservation_id");

-- CreateIndex
CREATE INDEX "guest_codes_reservation_id_purpose_idx" ON "guest_codes"("reservation_id", "purpose");

-- CreateIndex
CREATE INDEX "guest_codes_expires_at_idx" ON "guest_codes"("expires_at");

-- CreateIndex
CREATE INDEX "snapshots_team_id_mode_idx" ON "snapshots"("team_id", "mode");

-- CreateIndex
CREATE UNIQUE INDEX "snapshots_id_team_id_mode_key" ON "snapshots"("id", "team_id", "mode");

-- CreateIndex
CREATE UNIQUE INDEX "signatures_reservation_id_key" ON "signatures"("reservation_id");

-- CreateIndex
CREATE UNIQUE INDEX "signatures_verify_token_hash_key" ON "signatures"("verify_token_hash");

-- CreateIndex
CREATE UNIQUE INDEX "signatures_copy_token_hash_key" ON "signatures"("copy_token_hash");

-- CreateIndex
CREATE INDEX "signatures_snapshot_id_idx" ON "signatures"("snapshot_id");

-- CreateIndex
CREATE INDEX "signatures_team_id_mode_created_at_id_idx" ON "signatures"("team_id", "mode", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "signatures_team_id_mode_property_id_created_at_id_idx" ON "signatures"("team_id", "mode", "property_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "signatures_id_team_id_mode_key" ON "signatures"("id", "team_id", "mode");

-- CreateIndex
CREATE UNIQUE INDEX "log_entries_pdf_sha256_key" ON "log_entries"("pdf_sha256");

-- CreateIndex
CREATE UNIQUE INDEX "sync_sources_inbound_token_key" ON "sync_sources"("inbound_token");

-- CreateIndex
CREATE INDEX "sync_sources_team_id_mode_created_at_id_idx" ON "sync_sources"("team_id", "mode", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "sync_sources_property_id_idx" ON "sync_sources"("property_id");

-- CreateIndex
CREATE INDEX "sync_sources_enabled_next_run_at_idx" ON "sync_sources"("enabled", "next_run_at");

-- CreateIndex
CREATE UNIQUE INDEX "sync_sources_id_team_id_mode_key" ON "sync_sources"("id", "team_id", "mode");

-- CreateIndex
CREATE INDEX "sync_runs_team_id_mode_sync_source_id_started_at_idx" ON "sync_runs"("team_id", "mode", "sync_source_id", "started_at" DESC);

-- CreateIndex
CREATE INDEX "sync_runs_started_at_idx" ON "sync_runs"("started_at");

-- CreateIndex
CREATE INDEX "inbound_mails_reservation_id_idx" ON "inbound_mails"("reservation_id");

-- CreateIndex
CREATE INDEX "inbound_mails_team_id_mode_status_received_at_idx" ON "inbound_mails"("team_id", "mode", "status", "received_at" DESC);

-- CreateIndex
CREATE INDEX "inbound_mails_received_at_idx" ON "inbound_mails"("received_at");

-- CreateIndex
CREATE UNIQUE INDEX "inbound_mails_sync_source_id_message_id_key" ON "inbound_mails"("sync_source_id", "message_id");

-- CreateIndex
CREATE INDEX "sms_messages_team_id_mode_created_at_id_idx" ON "sms_messages"("team_id", "mode", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "webhook_endpoints_portal_token_hash_key" ON "webhook_endpoints"("portal_token_hash");

-- CreateIndex
CREATE INDEX "webhook_endpoints_team_id_mode_created_at_id_idx" ON "webhook_endpoints"("team_id", "mode", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "webhook_endpoints_id_team_id_mode_key" ON "webhook_endpoints"("id", "team_id", "mode");

-- CreateIndex
CREATE INDEX "webhook_deliveries_event_id_idx" ON "webhook_deliveries"("event_id");

-- CreateIndex
CREATE INDEX "webhook_deliveries_endpoint_id_created_at_id_idx" ON "webhook_deliveries"("endpoint_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "webhook_deliveries_endpoint_id_status_created_at_id_idx" ON "webhook_deliveries"("endpoint_id", "status", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "webhook_deliveries_endpoint_id_event_type_created_at_id_idx" ON "webhook_deliveries"("endpoint_id", "event_type", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "webhook_deliveries_team_id_mode_created_at_id_idx" ON "webhook_deliveries"("team_id", "mode", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "webhook_deliveries_created_at_idx" ON "webhook_deliveries"("created_at");

-- CreateIndex
CREATE UNIQUE INDEX "webhook_deliveries_endpoint_id_event_id_attempt_number_key" ON "webhook_deliveries"("endpoint_id", "event_id", "attempt_number");

-- CreateIndex
CREATE INDEX "events_team_id_mode_created_at_id_idx" ON "events"("team_id", "mode", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "events_team_id_mode_type_sequence_idx" ON "events"("team_id", "mode", "type", "sequence");

-- CreateIndex
CREATE INDEX "events_object_id_idx" ON "events"("object_id");

-- CreateIndex
CREATE INDEX "events_created_at_idx" ON "events"("created_at");

-- CreateIndex
CREATE UNIQUE INDEX "events_id_team_id_mode_key" ON "events"("id", "team_id", "mode");

-- CreateIndex
CREATE UNIQUE INDEX "events_team_id_mode_sequence_key" ON "events"("team_id", "mode", "sequence");

-- CreateIndex
CREATE INDEX "idempotency_records_expires_at_idx" ON "idempotency_records"("expires_at");

-- CreateIndex
CREATE INDEX "request_logs_team_id_mode_created_at_id_idx" ON "request_logs"("team_id", "mode", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "request_logs_api_key_id_created_at_idx" ON "request_logs"("api_key_id", "created_at" DESC);

-- CreateIndex
CREATE INDEX "request_logs_created_at_idx" ON "request_logs"("created_at");

-- CreateIndex
CREATE INDEX "audit_logs_team_id_created_at_id_idx" ON "audit_logs"("team_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "audit_logs_team_id_actor_created_at_id_idx" ON "audit_logs"("team_id", "actor", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "audit_logs_team_id_action_created_at_idx" ON "audit_logs"("team_id", "action", "created_at" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "mail_messages_provider_id_key" ON "mail_messages"("provider_id");

-- CreateIndex
CREATE UNIQUE INDEX "mail_messages_open_token_hash_key" ON "mail_messages"("open_token_hash");

-- CreateIndex
CREATE INDEX "mail_messages_team_id_mode_created_at_id_idx" ON "mail_messages"("team_id", "mode", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "mail_messages_team_id_mode_status_created_at_id_idx" ON "mail_messages"("team_id", "mode", "status", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "mail_messages_team_id_mode_template_created_at_id_idx" ON "mail_messages"("team_id", "mode", "template", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "mail_messages_reservation_id_created_at_idx" ON "mail_messages"("reservation_id", "created_at" DESC);

-- CreateIndex
CREATE INDEX "push_notices_reservation_id_idx" ON "push_notices"("reservation_id");

-- CreateIndex
CREATE INDEX "push_notices_due_at_idx" ON "push_notices"("due_at");

-- CreateIndex
CREATE INDEX "provider_events_created_at_idx" ON "provider_events"("created_at");

-- CreateIndex
CREATE INDEX "engine_events_received_at_idx" ON "engine_events"("received_at");

-- CreateIndex
CREATE INDEX "engine_runs_function_id_id_idx" ON "engine_runs"("function_id", "id");

-- CreateIndex
CREATE INDEX "engine_runs_function_id_started_at_idx" ON "engine_runs"("function_id", "started_at");

-- CreateIndex
CREATE INDEX "engine_runs_status_id_idx" ON "engine_runs"("status", "id");

-- CreateIndex
CREATE INDEX "engine_runs_event_id_idx" ON "engine_runs"("event_id");

-- CreateIndex
CREATE INDEX "engine_runs_ended_at_idx" ON "engine_runs"("ended_at");

-- CreateIndex
CREATE INDEX "engine_jobs_function_id_run_at_idx" ON "engine_jobs"("function_id", "run_at");

-- CreateIndex
CREATE INDEX "engine_jobs_run_id_idx" ON "engine_jobs"("run_id");

-- CreateIndex
CREATE INDEX "engine_jobs_function_id_concurrency_key_run_at_idx" ON "engine_jobs"("function_id", "concurrency_key", "run_at");

-- AddForeignKey
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "two_factors" ADD CONSTRAINT "two_factors_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "members" ADD CONSTRAINT "members_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "members" ADD CONSTRAINT "members_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "push_subscriptions" ADD CONSTRAINT "push_subscriptions_member_id_fkey" FOREIGN KEY ("member_id") REFERENCES "members"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "push_subscriptions" ADD CONSTRAINT "push_subscriptions_session_id_fkey" FOREIGN KEY ("session_id") REFERENCES "sessions"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_inviter_id_fkey" FOREIGN KEY ("inviter_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_successor_id_team_id_mode_fkey" FOREIGN KEY ("successor_id", "team_id", "mode") REFERENCES "api_keys"("id", "team_id", "mode") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "device_logins" ADD CONSTRAINT "device_logins_member_id_fkey" FOREIGN KEY ("member_id") REFERENCES "members"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "properties" ADD CONSTRAINT "properties_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "properties" ADD CONSTRAINT "properties_test_clock_id_team_id_mode_fkey" FOREIGN KEY ("test_clock_id", "team_id", "mode") REFERENCES "test_clocks"("id", "team_id", "mode") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "test_clocks" ADD CONSTRAINT "test_clocks_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "property_logos" ADD CONSTRAINT "property_logos_property_id_team_id_mode_fkey" FOREIGN KEY ("property_id", "team_id", "mode") REFERENCES "properties"("id", "team_id", "mode") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "packets" ADD CONSTRAINT "packets_property_id_team_id_mode_fkey" FOREIGN KEY ("property_id", "team_id", "mode") REFERENCES "properties"("id", "team_id", "mode") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "packet_revisions" ADD CONSTRAINT "packet_revisions_packet_id_team_id_mode_fkey" FOREIGN KEY ("packet_id", "team_id", "mode") REFERENCES "packets"("id", "team_id", "mode") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "reservations" ADD CONSTRAINT "reservations_property_id_team_id_mode_fkey" FOREIGN KEY ("property_id", "team_id", "mode") REFERENCES "properties"("id", "team_id", "mode") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "reservations" ADD CONSTRAINT "reservations_packet_id_team_id_mode_fkey" FOREIGN KEY ("packet_id", "team_id", "mode") REFERENCES "packets"("id", "team_id", "mode") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "reservations" ADD CONSTRAINT "reservations_signature_id_team_id_mode_fkey" FOREIGN KEY ("signature_id", "team_id", "mode") REFERENCES "signatures"("id", "team_id", "mode") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "reservations" ADD CONSTRAINT "reservations_sync_source_id_fkey" FOREIGN KEY ("sync_source_id") REFERENCES "sync_sources"("id") ON DELETE SET NULL ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "same_nights" ADD CONSTRAINT "same_nights_reservation_id_team_id_mode_fkey" FOREIGN KEY ("reservation_id", "team_id", "mode") REFERENCES "reservations"("id", "team_id", "mode") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "same_nights" ADD CONSTRAINT "same_nights_other_id_team_id_mode_fkey" FOREIGN KEY ("other_id", "team_id", "mode") REFERENCES "reservations"("id", "team_id", "mode") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "trail_entries" ADD CONSTRAINT "trail_entries_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "retired_tokens" ADD CONSTRAINT "retired_tokens_reservation_id_team_id_mode_fkey" FOREIGN KEY ("reservation_id", "team_id", "mode") REFERENCES "reservations"("id", "team_id", "mode") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "guest_codes" ADD CONSTRAINT "guest_codes_reservation_id_team_id_mode_fkey" FOREIGN KEY ("reservation_id", "team_id", "mode") REFERENCES "reservations"("id", "team_id", "mode") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "snapshots" ADD CONSTRAINT "snapshots_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "signatures" ADD CONSTRAINT "signatures_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "signatures" ADD CONSTRAINT "signatures_snapshot_id_team_id_mode_fkey" FOREIGN KEY ("snapshot_id", "team_id", "mode") REFERENCES "snapshots"("id", "team_id", "mode") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "sync_sources" ADD CONSTRAINT "sync_sources_property_id_team_id_mode_fkey" FOREIGN KEY ("property_id", "team_id", "mode") REFERENCES "properties"("id", "team_id", "mode") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "sync_runs" ADD CONSTRAINT "sync_runs_sync_source_id_team_id_mode_fkey" FOREIGN KEY ("sync_source_id", "team_id", "mode") REFERENCES "sync_sources"("id", "team_id", "mode") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "inbound_mails" ADD CONSTRAINT "inbound_mails_sync_source_id_team_id_mode_fkey" FOREIGN KEY ("sync_source_id", "team_id", "mode") REFERENCES "sync_sources"("id", "team_id", "mode") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "inbound_mails" ADD CONSTRAINT "inbound_mails_reservation_id_fkey" FOREIGN KEY ("reservation_id") REFERENCES "reservations"("id") ON DELETE SET NULL ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "sms_messages" ADD CONSTRAINT "sms_messages_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_endpoint_id_team_id_mode_fkey" FOREIGN KEY ("endpoint_id", "team_id", "mode") REFERENCES "webhook_endpoints"("id", "team_id", "mode") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_event_id_team_id_mode_fkey" FOREIGN KEY ("event_id", "team_id", "mode") REFERENCES "events"("id", "team_id", "mode") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "events" ADD CONSTRAINT "events_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "event_counters" ADD CONSTRAINT "event_counters_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "activity_counts" ADD CONSTRAINT "activity_counts_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "idempotency_records" ADD CONSTRAINT "idempotency_records_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "audit_logs" ADD CONSTRAINT "audit_logs_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "mail_messages" ADD CONSTRAINT "mail_messages_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "push_notices" ADD CONSTRAINT "push_notices_reservation_id_team_id_mode_fkey" FOREIGN KEY ("reservation_id", "team_id", "mode") REFERENCES "reservations"("id", "team_id", "mode") ON DELETE CASCADE ON UPDATE NO ACTION;

-- What follows cannot be written in schema.prisma. `npm run migrate -- create` recognizes it by name and leaves it alone:
-- indexes begin with `partial_` or `expression_`, references with `tenant_`.

-- A property has exactly one active default packet; two concurrent set-defaults cannot both win.
CREATE UNIQUE INDEX "partial_packets_one_default" ON "packets" ("property_id") WHERE "is_default" AND "status" = 'active';

-- Uniqueness belongs to those who proved the domain: a claim alone blocks nobody.
CREATE UNIQUE INDEX "partial_properties_verified_domain" ON "properties" ("mode", "custom_domain")
  WHERE "custom_domain_verified_at" IS NOT NULL;

-- Queues: only waiting rows are in the index, however long the history grows.
CREATE INDEX "partial_events_unrelayed" ON "events" ("id") WHERE "relayed_at" IS NULL;
CREATE INDEX "partial_deliveries_pending" ON "webhook_deliveries" ("due_at", "id") WHERE "status" = 'pending';
CREATE INDEX "partial_deliveries_endpoint_pending" ON "webhook_deliveries" ("endpoint_id", "due_at") WHERE "status" = 'pending';
CREATE INDEX "partial_mail_queued" ON "mail_messages" ("due_at") WHERE "status" = 'queued';
CREATE INDEX "partial_signatures_unsealed" ON "signatures" ("created_at") WHERE "sealed_at" IS NULL AND "redacted_at" IS NULL;
CREATE INDEX "reservations_nights_changed_idx" ON "reservations" ("property_id", "id") WHERE "nights_changed";

-- Custom domains due for their hourly check, the least recently checked first.
CREATE INDEX "partial_properties_domain_checks" ON "properties" ("custom_domain_checked_at")
  WHERE "custom_domain_verified_at" IS NOT NULL OR "custom_domain_lapsed_at" IS NOT NULL;

-- Attempts and jobs in flight are counted at every claim: only rows with a lease are in the index.
CREATE INDEX "partial_deliveries_leased" ON "webhook_deliveries" ("endpoint_id") WHERE "status" = 'pending' AND "lease_until" IS NOT NULL;
CREATE INDEX "partial_engine_jobs_leased" ON "engine_jobs" ("function_id", "concurrency_key") WHERE "lease_until" IS NOT NULL;

-- Files to move to the object storage, to move back, and to remove.
CREATE INDEX "partial_signatures_files" ON "signatures" ("id") WHERE "sealed_at" IS NOT NULL AND ("pdf" IS NOT NULL OR "photo" IS NOT NULL);
CREATE INDEX "partial_signatures_objects" ON "signatures" ("id") WHERE "pdf_object" IS NOT NULL OR "photo_object" IS NOT NULL;
CREATE INDEX "partial_stored_objects_open" ON "stored_objects" ("created_at") WHERE "state" <> 'kept';

-- Filters that match few of many rows.
CREATE INDEX "partial_reservations_no_address" ON "reservations" ("team_id", "mode", "checkin_date", "id") WHERE "guest_email" IS NULL AND "status" IN ('draft', 'synced');
CREATE INDEX "partial_reservations_dates_changed" ON "reservations" ("team_id", "mode", "checkin_date", "id") WHERE "dates_changed_after_send_at" IS NOT NULL;
CREATE INDEX "partial_reservations_guest_reply" ON "reservations" ("team_id", "mode", "checkin_date", "id") WHERE "guest_reply" IS NOT NULL;
CREATE INDEX "partial_request_logs_error_code" ON "request_logs" ("team_id", "mode", "error_code", "created_at" DESC, "id" DESC) WHERE "error_code" IS NOT NULL;
CREATE INDEX "events_request_id_idx" ON "events" ("request_id") WHERE "request_id" IS NOT NULL;

-- The list by guest.
CREATE INDEX "expression_reservations_guest" ON "reservations" ("team_id", "mode", lower("guest_name"), "id");

-- How many mails an address gets in a day, from all teams (modules/mail/budget.repository.ts).
CREATE INDEX "expression_mail_messages_recipient" ON "mail_messages" (regexp_replace(lower("to"), '\+[^@]*(?=@)', ''), "due_at");

-- The dashboard's searches, by the beginning of each word of name, address and booking code. The team is a word too, so
-- that a team's search does not read every team's guests named Maria. The expressions are repeated in
-- modules/reservations/rules/search.ts and modules/certificates/search.repository.ts. Pending entries are read by each
-- search: a short list keeps writes cheap (a third of the time of an update without one) and searches too.
CREATE INDEX "expression_reservations_search" ON "reservations" USING gin (
  array_to_tsvector(array_remove(string_to_array(translate(lower("guest_name" || ' ' || coalesce("guest_email", '') || ' ' || coalesce(left("external_id", 200), '')), '@.,;:+_/()''"#-', '              '), ' ') || ('#' || "team_id"), ''))
) WITH (fastupdate = on, gin_pending_list_limit = 256);
CREATE INDEX "expression_signatures_search" ON "signatures" USING gin (
  array_to_tsvector(array_remove(string_to_array(translate(lower("signer_name" || ' ' || coalesce("signer_email", '')), '@.,;:+_/()''"#-', '              '), ' ') || ('#' || "team_id"), ''))
) WITH (fastupdate = on, gin_pending_list_limit = 256);

-- A reservation and its signature refer to each other: checked when the transaction ends.
ALTER TABLE "reservations" ALTER CONSTRAINT "reservations_signature_id_team_id_mode_fkey" DEFERRABLE INITIALLY DEFERRED;

-- Two references are set to null when their target is deleted. Such a key cannot compare team and mode as well (it would
-- set those to null too), so a second one does; it is checked when the transaction ends, after the first has acted.
ALTER TABLE "reservations" ADD CONSTRAINT "tenant_reservations_sync_source" FOREIGN KEY ("sync_source_id", "team_id", "mode") REFERENCES "sync_sources"("id", "team_id", "mode") DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE "inbound_mails" ADD CONSTRAINT "tenant_inbound_mails_reservation" FOREIGN KEY ("reservation_id", "team_id", "mode") REFERENCES "reservations"("id", "team_id", "mode") DEFERRABLE INITIALLY DEFERRED;

-- Rules of a row: closed sets, the order of dates, amounts, a state with its timestamps.
ALTER TABLE "teams" ADD CONSTRAINT "teams_plan_check" CHECK (plan IN ('free', 'pro', 'deleted'));
-- The sign-in library wants the column, and a caller could put any address into it.
ALTER TABLE "users" ADD CONSTRAINT "users_image_check" CHECK (image IS NULL);
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_type_check" CHECK (type IN ('secret', 'restricted'));
ALTER TABLE "properties" ADD CONSTRAINT "properties_required_acceptances_check" CHECK (required_acceptances <@ ARRAY['damage', 'deposit', 'smoking', 'cancellation']);
ALTER TABLE "property_logos" ADD CONSTRAINT "property_logos_media_type_check" CHECK (media_type IN ('image/png', 'image/jpeg'));
ALTER TABLE "test_clocks" ADD CONSTRAINT "test_clocks_target_time_check" CHECK (target_time >= frozen_time);
ALTER TABLE "packets"
  ADD CONSTRAINT "packets_status_check" CHECK (status IN ('active', 'archived')),
  ADD CONSTRAINT "packets_archived_at_check" CHECK ((status = 'archived') = (archived_at IS NOT NULL)),
  ADD CONSTRAINT "packets_default_is_active_check" CHECK (status = 'active' OR NOT is_default),
  ADD CONSTRAINT "packets_lists_check" CHECK (jsonb_typeof(rules) = 'array' AND jsonb_typeof(fees) = 'array'),
  ADD CONSTRAINT "packets_amounts_check" CHECK (NOT jsonb_path_exists(fees, '$[*].amount_cents ? (@ < 0)'));
ALTER TABLE "reservations"
  ADD CONSTRAINT "reservations_dates_check" CHECK (checkout_date > checkin_date),
  ADD CONSTRAINT "reservations_initial_status_check" CHECK (initial_status IN ('draft', 'synced')),
  ADD CONSTRAINT "reservations_signed_check" CHECK ((status = 'signed') = (signed_at IS NOT NULL)),
  ADD CONSTRAINT "reservations_signature_check" CHECK (status = 'signed' OR signature_id IS NULL),
  ADD CONSTRAINT "reservations_sent_check" CHECK (status NOT IN ('sent', 'opened', 'clicked') OR sent_at IS NOT NULL),
  ADD CONSTRAINT "reservations_opened_check" CHECK (status <> 'opened' OR opened_at IS NOT NULL),
  ADD CONSTRAINT "reservations_clicked_check" CHECK (status <> 'clicked' OR clicked_at IS NOT NULL),
  ADD CONSTRAINT "reservations_expired_check" CHECK (status <> 'expired' OR expired_at IS NOT NULL),
  ADD CONSTRAINT "reservations_cancelled_check" CHECK ((cancelled_at IS NULL) = (cancel_reason IS NULL) AND (status = 'ignored' OR cancelled_at IS NULL)),
  ADD CONSTRAINT "reservations_cancel_reason_check" CHECK (cancel_reason IN ('api', 'host', 'feed_removed')),
  ADD CONSTRAINT "reservations_guest_reply_check" CHECK (guest_reply IN ('question', 'declined') AND guest_reply_at IS NOT NULL OR guest_reply IS NULL AND guest_reply_at IS NULL),
  ADD CONSTRAINT "reservations_feed_misses_check" CHECK (feed_misses >= 0);
ALTER TABLE "retired_tokens" ADD CONSTRAINT "retired_tokens_reason_check" CHECK (reason IN ('replaced', 'cancelled', 'expired'));
ALTER TABLE "guest_codes"
  ADD CONSTRAINT "guest_codes_purpose_check" CHECK (purpose IN ('contact', 'signing')),
  ADD CONSTRAINT "guest_codes_attempts_check" CHECK (attempts >= 0);
ALTER TABLE "signatures"
  ADD CONSTRAINT "signatures_sealed_check" CHECK (sealed_at IS NULL OR pdf_sha256 IS NOT NULL),
  ADD CONSTRAINT "signatures_redacted_check" CHECK (redacted_at IS NULL OR (pdf IS NULL AND photo IS NULL AND drawn_signature IS NULL AND signer_email IS NULL)),
  ADD CONSTRAINT "signatures_objects_check" CHECK (redacted_at IS NULL OR (pdf_object IS NULL AND photo_object IS NULL)),
  ADD CONSTRAINT "signatures_places_check" CHECK ((pdf IS NULL OR pdf_object IS NULL) AND (photo IS NULL OR photo_object IS NULL));
ALTER TABLE "sync_sources"
  ADD CONSTRAINT "sync_sources_kind_check" CHECK (kind IN ('channel_a_ical', 'channel_b_ical', 'channel_c_ical', 'other_ical', 'forward_email')),
  ADD CONSTRAINT "sync_sources_failures_check" CHECK (consecutive_failures >= 0);
ALTER TABLE "sync_runs"
  ADD CONSTRAINT "sync_runs_trigger_check" CHECK (trigger IN ('schedule', 'forced')),
  ADD CONSTRAINT "sync_runs_status_check" CHECK (status IN ('running', 'succeeded', 'failed', 'unchanged'));
ALTER TABLE "inbound_mails" ADD CONSTRAINT "inbound_mails_status_check" CHECK (status IN ('inbox', 'applied', 'dismissed'));
ALTER TABLE "webhook_endpoints"
  ADD CONSTRAINT "webhook_endpoints_status_check" CHECK (status IN ('enabled', 'disabled', 'auto_disabled')),
  ADD CONSTRAINT "webhook_endpoints_failures_check" CHECK (consecutive_failures >= 0);
ALTER TABLE "webhook_deliveries"
  ADD CONSTRAINT "webhook_deliveries_status_check" CHECK (status IN ('pending', 'succeeded', 'failed')),
  ADD CONSTRAINT "webhook_deliveries_trigger_check" CHECK (trigger IN ('event', 'retry', 'redelivery', 'test')),
  ADD CONSTRAINT "webhook_deliveries_attempts_check" CHECK (attempt_number >= 1 AND failures_before >= 0);
ALTER TABLE "mail_messages"
  ADD CONSTRAINT "mail_messages_status_check" CHECK (status IN ('queued', 'sent', 'captured', 'failed', 'suppressed')),
  ADD CONSTRAINT "mail_messages_attempts_check" CHECK (attempts >= 0);
ALTER TABLE "push_notices" ADD CONSTRAINT "push_notices_kind_check" CHECK (kind IN ('question', 'declined'));
ALTER TABLE "request_logs" ADD CONSTRAINT "request_logs_status_check" CHECK (status BETWEEN 100 AND 599);

-- A redaction, a deleted account or a move releases stored objects; here, so that no caller can forget it.
CREATE FUNCTION "release_stored_objects"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    UPDATE "stored_objects" SET "state" = 'removing' WHERE "key" IN (OLD."pdf_object", OLD."photo_object");
  ELSE
    UPDATE "stored_objects" SET "state" = 'removing' WHERE "key" IN (OLD."pdf_object", OLD."photo_object")
      AND "key" NOT IN (COALESCE(NEW."pdf_object", ''), COALESCE(NEW."photo_object", ''));
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER "release_stored_objects" AFTER DELETE OR UPDATE OF "pdf_object", "photo_object" ON "signatures"
  FOR EACH ROW WHEN (OLD."pdf_object" IS NOT NULL OR OLD."photo_object" IS NOT NULL) EXECUTE FUNCTION "release_stored_objects"();

-- Home's chart: events per hour and per quarter of an hour, counted in the statement that records them. A day begins on a
-- quarter of an hour in every time zone, and in most on an hour, whose rows are a fourth. Recording an event holds the
-- lock of its team's event counter, so the upsert waits for nobody.
CREATE FUNCTION "count_activity"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "activity_counts" AS counted ("team_id", "mode", "minutes", "since", "created", "sent", "signed")
  SELECT "team_id", "mode", width, date_bin(make_interval(mins => width), "created_at", 'epoch'), count(*) FILTER (WHERE "type" = 'reservation.created'),
    count(*) FILTER (WHERE "type" = 'reservation.sent'), count(*) FILTER (WHERE "type" = 'reservation.signed')
  FROM "recorded" CROSS JOIN (VALUES (15), (60)) AS widths (width)
  WHERE "type" IN ('reservation.created', 'reservation.sent', 'reservation.signed') GROUP BY 1, 2, 3, 4
  ON CONFLICT ("team_id", "mode", "minutes", "since") DO UPDATE SET "created" = counted."created" + EXCLUDED."created",
    "sent" = counted."sent" + EXCLUDED."sent", "signed" = counted."signed" + EXCLUDED."signed";
  RETURN NULL;
END $$;
CREATE TRIGGER "count_activity" AFTER INSERT ON "events" REFERENCING NEW TABLE AS "recorded"
  FOR EACH STATEMENT EXECUTE FUNCTION "count_activity"();
