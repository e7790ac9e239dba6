-- CreateEnum
CREATE TYPE "Mode" AS ENUM ('live', 'test');

-- CreateEnum
CREATE TYPE "ReservationStatus" AS ENUM ('draft', 'synced', 'sent', 'opened', 'clicked', 'signed', 'expired', 'ignored');

-- CreateEnum
CREATE TYPE "ReservationSource" AS ENUM ('channel_a', 'channel_b', 'channel_c', 'direct');

-- CreateTable
CREATE TABLE "users" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "email_verified" BOOLEAN NOT NULL DEFAULT false,
    "image" TEXT,
    "two_factor_enabled" BOOLEAN DEFAULT false,
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
CREATE TABLE "two_factors" (
    "id" TEXT NOT NULL,
    "secret" TEXT NOT NULL,
    "backup_codes" TEXT NOT NULL,
    "verified" BOOLEAN NOT NULL DEFAULT true,
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
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "teams_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "members" (
    "id" TEXT NOT NULL,
    "team_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "role" TEXT NOT NULL DEFAULT 'member',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "members_pkey" PRIMARY KEY ("id")
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
    "timezone" TEXT,
    "auto_send_packet" BOOLEAN NOT NULL DEFAULT false,
    "auto_send_offset_hours" INTEGER,
    "auto_reminders" BOOLEAN NOT NULL DEFAULT false,
    "lat" DOUBLE PRECISION,
    "lng" DOUBLE PRECISION,
    "city" TEXT,
    "photo_required" BOOLEAN NOT NULL DEFAULT false,
    "otp_required" BOOLEAN NOT NULL DEFAULT false,
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "properties_pkey" PRIMARY KEY ("id")
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
    "guest_locale" TEXT,
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
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "reservations_pkey" PRIMARY KEY ("id")
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
    "sealed_at" TIMESTAMPTZ(3),
    "seal_error" TEXT,
    "redacted_at" TIMESTAMPTZ(3),
    "legal_hold" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "signatures_pkey" PRIMARY KEY ("id")
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
    "last_synced_at" TIMESTAMPTZ(3),
    "last_status" TEXT,
    "last_error" TEXT,
    "last_healthy_count" INTEGER,
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
    "events" TEXT[],
    "status" TEXT NOT NULL DEFAULT 'enabled',
    "secret" TEXT NOT NULL,
    "secret_last4" TEXT NOT NULL,
    "previous_secret" TEXT,
    "rotated_until" TIMESTAMPTZ(3),
    "consecutive_failures" INTEGER NOT NULL DEFAULT 0,
    "failing_since" TIMESTAMPTZ(3),
    "disabled_reason" TEXT,
    "disabled_at" TIMESTAMPTZ(3),
    "warned_at" TIMESTAMPTZ(3),
    "circuit_open_until" TIMESTAMPTZ(3),
    "last_delivery_at" TIMESTAMPTZ(3),
    "last_success_at" TIMESTAMPTZ(3),
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
    "html" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "provider_id" TEXT,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "lease_until" TIMESTAMPTZ(3),
    "last_error" TEXT,
    "sent_at" TIMESTAMPTZ(3),
    "opened_at" TIMESTAMPTZ(3),
    "preview_until" TIMESTAMPTZ(3),
    "open_token_hash" TEXT,
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
    "idempotency_key" TEXT,
    "concurrency_key" TEXT,
    "parent_run_id" TEXT,
    "parent_step_id" TEXT,
    "pending" INTEGER NOT NULL DEFAULT 0,
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
CREATE TABLE "engine_waits" (
    "id" TEXT NOT NULL,
    "run_id" TEXT NOT NULL,
    "step_id" TEXT,
    "event_name" TEXT NOT NULL,
    "match_paths" TEXT NOT NULL,
    "match_values" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "engine_waits_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "engine_jobs" (
    "id" TEXT NOT NULL,
    "run_id" TEXT NOT NULL,
    "function_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
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
CREATE INDEX "accounts_user_id_idx" ON "accounts"("user_id");

-- CreateIndex
CREATE INDEX "verifications_identifier_idx" ON "verifications"("identifier");

-- CreateIndex
CREATE INDEX "two_factors_user_id_idx" ON "two_factors"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "teams_slug_key" ON "teams"("slug");

-- CreateIndex
CREATE INDEX "members_user_id_idx" ON "members"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "members_team_id_user_id_key" ON "members"("team_id", "user_id");

-- CreateIndex
CREATE INDEX "invitations_team_id_idx" ON "invitations"("team_id");

-- CreateIndex
CREATE INDEX "invitations_email_idx" ON "invitations"("email");

-- CreateIndex
CREATE UNIQUE INDEX "api_keys_prefix_key" ON "api_keys"("prefix");

-- CreateIndex
CREATE INDEX "api_keys_team_id_mode_created_at_idx" ON "api_keys"("team_id", "mode", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "properties_subdomain_key" ON "properties"("subdomain");

-- CreateIndex
CREATE UNIQUE INDEX "properties_custom_domain_key" ON "properties"("custom_domain");

-- CreateIndex
CREATE INDEX "properties_team_id_mode_created_at_id_idx" ON "properties"("team_id", "mode", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "packets_team_id_mode_property_id_status_created_at_idx" ON "packets"("team_id", "mode", "property_id", "status", "created_at");

-- CreateIndex
CREATE INDEX "packets_property_id_idx" ON "packets"("property_id");

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
CREATE INDEX "reservations_team_id_mode_checkin_date_idx" ON "reservations"("team_id", "mode", "checkin_date");

-- CreateIndex
CREATE INDEX "reservations_property_id_status_idx" ON "reservations"("property_id", "status");

-- CreateIndex
CREATE INDEX "reservations_packet_id_idx" ON "reservations"("packet_id");

-- CreateIndex
CREATE INDEX "reservations_sync_source_id_external_id_idx" ON "reservations"("sync_source_id", "external_id");

-- CreateIndex
CREATE INDEX "reservations_status_checkout_date_idx" ON "reservations"("status", "checkout_date");

-- CreateIndex
CREATE INDEX "reservations_status_checkin_date_idx" ON "reservations"("status", "checkin_date");

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
CREATE UNIQUE INDEX "signatures_reservation_id_key" ON "signatures"("reservation_id");

-- CreateIndex
CREATE UNIQUE INDEX "signatures_verify_token_hash_key" ON "signatures"("verify_token_hash");

-- CreateIndex
CREATE UNIQUE INDEX "signatures_copy_token_hash_key" ON "signatures"("copy_token_hash");

-- CreateIndex
CREATE INDEX "signatures_team_id_mode_created_at_id_idx" ON "signatures"("team_id", "mode", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "sync_sources_inbound_token_key" ON "sync_sources"("inbound_token");

-- CreateIndex
CREATE INDEX "sync_sources_team_id_mode_created_at_id_idx" ON "sync_sources"("team_id", "mode", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "sync_sources_property_id_idx" ON "sync_sources"("property_id");

-- CreateIndex
CREATE INDEX "sync_sources_enabled_next_run_at_idx" ON "sync_sources"("enabled", "next_run_at");

-- CreateIndex
CREATE INDEX "sync_runs_team_id_mode_sync_source_id_started_at_idx" ON "sync_runs"("team_id", "mode", "sync_source_id", "started_at" DESC);

-- CreateIndex
CREATE INDEX "sync_runs_started_at_idx" ON "sync_runs"("started_at");

-- CreateIndex
CREATE INDEX "inbound_mails_team_id_mode_status_received_at_idx" ON "inbound_mails"("team_id", "mode", "status", "received_at" DESC);

-- CreateIndex
CREATE INDEX "inbound_mails_received_at_idx" ON "inbound_mails"("received_at");

-- CreateIndex
CREATE UNIQUE INDEX "inbound_mails_sync_source_id_message_id_key" ON "inbound_mails"("sync_source_id", "message_id");

-- CreateIndex
CREATE INDEX "sms_messages_team_id_mode_created_at_id_idx" ON "sms_messages"("team_id", "mode", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "webhook_endpoints_team_id_mode_created_at_id_idx" ON "webhook_endpoints"("team_id", "mode", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "webhook_deliveries_endpoint_id_created_at_id_idx" ON "webhook_deliveries"("endpoint_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "webhook_deliveries_team_id_mode_created_at_id_idx" ON "webhook_deliveries"("team_id", "mode", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "webhook_deliveries_created_at_idx" ON "webhook_deliveries"("created_at");

-- CreateIndex
CREATE UNIQUE INDEX "webhook_deliveries_endpoint_id_event_id_attempt_number_key" ON "webhook_deliveries"("endpoint_id", "event_id", "attempt_number");

-- CreateIndex
CREATE INDEX "events_team_id_mode_created_at_id_idx" ON "events"("team_id", "mode", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "events_object_id_idx" ON "events"("object_id");

-- CreateIndex
CREATE INDEX "events_created_at_idx" ON "events"("created_at");

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
CREATE INDEX "audit_logs_team_id_action_created_at_idx" ON "audit_logs"("team_id", "action", "created_at" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "mail_messages_provider_id_key" ON "mail_messages"("provider_id");

-- CreateIndex
CREATE UNIQUE INDEX "mail_messages_open_token_hash_key" ON "mail_messages"("open_token_hash");

-- CreateIndex
CREATE INDEX "mail_messages_team_id_mode_created_at_id_idx" ON "mail_messages"("team_id", "mode", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "mail_messages_reservation_id_created_at_idx" ON "mail_messages"("reservation_id", "created_at" DESC);

-- CreateIndex
CREATE INDEX "provider_events_created_at_idx" ON "provider_events"("created_at");

-- CreateIndex
CREATE INDEX "engine_events_received_at_idx" ON "engine_events"("received_at");

-- CreateIndex
CREATE INDEX "engine_runs_function_id_id_idx" ON "engine_runs"("function_id", "id");

-- CreateIndex
CREATE INDEX "engine_runs_status_id_idx" ON "engine_runs"("status", "id");

-- CreateIndex
CREATE INDEX "engine_runs_event_id_idx" ON "engine_runs"("event_id");

-- CreateIndex
CREATE INDEX "engine_runs_ended_at_idx" ON "engine_runs"("ended_at");

-- CreateIndex
CREATE UNIQUE INDEX "engine_runs_function_id_idempotency_key_key" ON "engine_runs"("function_id", "idempotency_key");

-- CreateIndex
CREATE INDEX "engine_waits_event_name_match_paths_match_values_idx" ON "engine_waits"("event_name", "match_paths", "match_values");

-- CreateIndex
CREATE INDEX "engine_waits_run_id_idx" ON "engine_waits"("run_id");

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
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_inviter_id_fkey" FOREIGN KEY ("inviter_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;
