import type { ChannelMailDomains } from '../mail/extractors/types';

/**
 * Fictitious domains, as in the specification. Installations configure the channels' real domains.
 */
export const FICTITIOUS_CHANNEL_DOMAINS: ChannelMailDomains = {
  channel_a: ['channel-a.example'],
  channel_b: ['channel-b.example'],
  channel_c: ['channel-c.example'],
};
