import type { ChannelDomains } from '../mail/extractors/types';

/** Neutral examples, as in the specification. An installation configures the real ones. */
export const NEUTRAL_CHANNEL_DOMAINS: ChannelDomains = {
  channel_a: ['channel-a.example'],
  channel_b: ['channel-b.example'],
  channel_c: ['channel-c.example'],
};
