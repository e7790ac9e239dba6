/** A fingerprint, in groups of eight so that two can be compared by eye; copied as one. */
export function Hash({ value }: { value: string }) {
  return (
    <code className="hash" translate="no" dir="ltr">
      {(value.match(/.{1,8}/g) ?? []).map((group, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: static markup, nothing is ever reordered
        <span key={index}>{group}</span>
      ))}
    </code>
  );
}
