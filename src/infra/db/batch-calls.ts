/**
 * Coalesces concurrent calls into one statement. A lone call is not delayed. Calls that arrive
 * while a statement runs share the next statement. On a database with one session, many small
 * statements cost far more than one large statement.
 */

/** Maximum number of calls in a statement. */
const MOST = 64;

interface Waiting<Ask, Answer> {
  ask: Ask;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

/**
 * Wraps `answer`, which must return one answer per call, in order. When a batch fails, its calls
 * are repeated one by one, so that no call fails because of another. Calls must therefore be
 * repeatable. Callers must not be inside a transaction, because the statement would run in the
 * transaction of the first caller.
 */
export function batchCalls<Ask, Answer>(
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
