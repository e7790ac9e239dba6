/**
 * Runs the demonstration: chooses the server, starts the webhook receiver, runs the recipe, and
 * prints each step with its duration.
 */
import { join } from 'node:path';
import { startWebhookReceiver } from '@/testing/receiver';
import { createPartnerClient } from './partner';
import { type RecipeStepRunner, runAndCheckArrivalReleaseRecipe } from './recipe';
import { findOrStartDemoServer } from './target';

const say = (line: string) => console.log(`  ${line}`);

async function demonstrate(): Promise<void> {
  const kill = process.argv.includes('--kill');
  const began = performance.now();
  const target = await findOrStartDemoServer(say);
  say(`The arrival-release recipe against ${target.description} (ready in ${seconds(began)})\n`);
  if (kill && !target.crash) throw new Error('--kill needs a server of its own: leave BASE_URL out.');
  const receiver = await startWebhookReceiver();
  let number = 0;
  const step: RecipeStepRunner = async (title, work) => {
    const step_began = performance.now();
    const [result, words] = await work();
    number += 1;
    say(`${String(number).padStart(2)}. ${title.padEnd(57)} ${seconds(step_began).padStart(8)}   ${words}`);
    if (kill) await target.crash?.();
    return result;
  };
  try {
    const output = join(process.cwd(), 'demo-output');
    await runAndCheckArrivalReleaseRecipe({
      origin: target.origin,
      partner: createPartnerClient(target.origin, target.api_key),
      receiver,
      step,
      output,
    });
    say(`\n  All as the specification says, in ${seconds(began)}. The PDF and the audit trail are in demo-output/.`);
  } finally {
    await receiver.close();
    await target.stop();
  }
}

const seconds = (since: number) => {
  const ms = performance.now() - since;
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
};

demonstrate().then(
  () => process.exit(0),
  (error) => {
    console.error(`\n  ✗ ${error instanceof Error ? error.message : error}`);
    process.exit(1);
  },
);
