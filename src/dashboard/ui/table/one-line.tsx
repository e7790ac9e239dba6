/**
 * A text in a table that may be truncated. It gets the width that the other columns leave, and the
 * row stays on one line. The title has the full text.
 */
export const TruncatedText = ({ text }: { text: string }) => (
  <span className="grid min-w-24">
    <span className="truncate" title={text}>
      {text}
    </span>
  </span>
);
