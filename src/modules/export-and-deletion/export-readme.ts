/** The text that explains an export to whoever unpacks it. */
export const README = `Everything that the service keeps of your team, as it was when you downloaded it.

team.json        the team and what it tells guests of itself, its members, and whom it invited
audit_log.json   who did what, when and from where, in both modes
live/, test/     the data of the two modes:

  properties, packets, packet_revisions      what you wrote; test_clocks in test mode
  reservations, trail_entries, snapshots     the stays, what happened to each, what each guest was shown
  certificates                               the signatures; certificates/<id>.pdf is the sealed PDF and
                                             certificates/<id>-photo.jpg the guest's photo, where there is one
  sync_sources, sync_runs, inbound_mails     calendars, their runs, forwarded mails (and <id>.eml while it is kept)
  mail_messages, sms_messages                what was sent to guests
  webhook_endpoints, webhook_deliveries, events, api_keys, request_logs

without-file.txt the files that were lost or damaged, where there are any
contents.json    how many rows each has. If it is missing, the download broke off: take it again.

Every .json file is an array with a row a line; a long table goes on in name-2.json, name-3.json and so on. Times are UTC.
Not in here: passwords, keys, secrets and the hashes of links, since an export is not a way in. The mails do hold the
links that guests were sent, and some of those may still work, and sync_sources the addresses of your calendars: keep
this archive as you would keep the guests' data.
A sealed PDF can be verified without the service: it contains its evidence and a signature over all of it.
`;
