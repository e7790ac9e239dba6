-- What was said of a guest's language; `guest_locale` stays what was found out of it.
ALTER TABLE "reservations" ADD COLUMN "locale" TEXT;
