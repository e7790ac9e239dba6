/**
 * One statement for many callers, without a delay for a single one: whoever asks while a statement is under way is answered
 * by the next, with everybody else who came in between. For work that runs side by side, each part with the same small
 * statement to make: on a database that does one thing at a time, many small ones cost far more than one for all.
 */

/** So many at most in one statement. */
const MOST = 64;

interface Waiting<Ask, Answer> {
  ask: Ask;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

/**
 * Wraps `answer`, which must return an answer for each thing asked, in their order. When it fails for several they are
 * asked one by one, so that nobody fails for another; what is asked must bear being asked again. Callers inside a
 * transaction must not use it: the statement is made where the first of them is.
 */
export function together<Ask, Answer>(
  answer: (asks: Ask[]) => Promise<readonly Answer[]>,
  most = MOST,
): (ask: Ask) => Promise<Answer> {
  const waiting: Waiting<Ask, Answer>[] = [];
  let under_way = false;

  async function settle(batch: Waiting<Ask, Answer>[]): Promise<void> {
    try {
      const answers = await answer(batch.map(({ ask }) => ask));
      for (const [index, { resolve }] of batch.entries()) resolve(answers[index] as Answer);
    } catch (error) {
      const [only] = batch;
      if (batch.length === 1) only!.reject(error);
      else for (const one of batch) await settle([one]);
    }
  }

  async function work(): Promise<void> {
    under_way = true;
    while (waiting.length > 0) await settle(waiting.splice(0, most));
    under_way = false;
  }

  return (ask) =>
    new Promise((resolve, reject) => {
      waiting.push({ ask, resolve, reject });
      if (!under_way) void work();
    });
}
