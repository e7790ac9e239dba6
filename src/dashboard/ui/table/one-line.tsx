/**
 * A text in a table cell that stays on one line and is truncated if necessary. The title contains
 * the full text.
 */
export const TruncatedText = ({ text }: { text: string }) => (
  <span className="grid min-w-24">
    <span className="truncate" title={text}>
      {text}
    </span>
  </span>
);
