-- How many mails one address gets in a day, from all teams (modules/mail/budget.repository.ts).
CREATE INDEX "expression_mail_messages_recipient" ON "mail_messages" (regexp_replace(lower("to"), '\+[^@]*(?=@)', ''), "due_at");
