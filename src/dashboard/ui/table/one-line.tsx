/**
 * A text in a table cell that stays on one line. Without enough room the text is truncated. The
 * full text is in the title.
 */
export const OneLine = ({ text }: { text: string }) => (
  <span className="grid min-w-24">
    <span className="truncate" title={text}>
      {text}
    </span>
  </span>
);
