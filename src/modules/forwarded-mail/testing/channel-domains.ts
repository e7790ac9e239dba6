import type { ChannelDomains } from '../mail/extractors/types';

/** Neutral stand-ins, as in the specification; an installation gives the real ones. */
export const NEUTRAL_CHANNEL_DOMAINS: ChannelDomains = {
  channel_a: ['channel-a.example'],
  channel_b: ['channel-b.example'],
  channel_c: ['channel-c.example'],
};
