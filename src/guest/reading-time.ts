import type { PacketView } from '@/modules/signing/packet-view';

const WORDS_PER_MINUTE = 200;

/**
 * Returns the time to read a packet and sign it, in whole minutes and at least 2. In scripts
 * without spaces, four characters count as one word. Pure.
 */
export function estimateReadingMinutes(packet: PacketView): number {
  const texts = [
    packet.welcome_message,
    packet.safety_notes,
    ...packet.rules.map((rule) => rule.text),
    ...packet.fees.flatMap((fee) => [fee.label, fee.description]),
    ...packet.arrival.map((group) => (group.state === 'visible' && group.group !== 'wifi' ? group.text : null)),
  ];
  const words = texts.reduce((sum, text) => sum + wordCount(text ?? ''), 0);
  return Math.max(2, 1 + Math.round(words / WORDS_PER_MINUTE));
}

function wordCount(text: string): number {
  return text
    .split(/\s+/)
    .reduce(
      (sum, word) => sum + (/^[\p{Script=Latin}\p{N}\p{P}\p{S}]*$/u.test(word) ? 1 : Math.ceil(word.length / 4)),
      0,
    );
}
