/** Subdomains that hosts cannot use, because guests would attribute them to the operator. Pure. */
const RESERVED: ReadonlySet<string> = new Set(
  `abuse account accounts acme admin administrator api apis app apps assets auth autoconfig autodiscover
   autoload billing blog broadcasthost cdn console contact copy dashboard dev dns docs download downloads email
   files ftp git graphql guest-assets healthz help host hostmaster imap img inbound info inngest intranet
   invalid isatap ldap legal local localdomain localhost login logout logs mail mailer mailer-daemon metrics
   monitor mta-sts mx mysql no-reply nobody noc noreply ns ntp oauth operator password pay payment payments pop
   pop3 portal postgres postmaster privacy prod production proxy readyz redis register root secure security
   server service settings sign sign-in sign-up signin signing signup smtp sql ssh ssl ssladmin ssladministrator
   sslwebmaster sso staff staging static statistics stats status storage stun support sync sysadmin system team
   terms threshold tls tracking trust turn uptime usenet user users uucp verify vpn web webhook webhooks webmail
   webmaster websocket well-known wiki wpad www www-data`
    .split(/\s+/)
    .filter(Boolean),
);

/**
 * Returns whether a subdomain is a reserved name, possibly followed by a number (`ns1`, `www02`).
 */
export function isReservedSubdomain(subdomain: string): boolean {
  return RESERVED.has(subdomain) || RESERVED.has(subdomain.replace(/\d{1,2}$/, ''));
}
