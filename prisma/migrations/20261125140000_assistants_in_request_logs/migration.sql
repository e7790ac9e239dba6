-- The name of the assistant that sent a request. Null for requests with an API key.
ALTER TABLE "request_logs" ADD COLUMN "assistant" TEXT;
