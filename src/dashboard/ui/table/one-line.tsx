/**
 * A text in a table that may be cut: it gets the room that the other columns leave, and a row stays
 * one line. Its title has the whole.
 */
export const OneLine = ({ text }: { text: string }) => (
  <span className="grid min-w-24">
    <span className="truncate" title={text}>
      {text}
    </span>
  </span>
);
