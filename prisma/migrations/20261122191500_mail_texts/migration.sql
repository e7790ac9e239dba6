-- What a host says in mails to guests in place of our words: {template: {locale: {subject, intro}}}
ALTER TABLE "properties" ADD COLUMN "mail_texts" JSONB NOT NULL DEFAULT '{}';
