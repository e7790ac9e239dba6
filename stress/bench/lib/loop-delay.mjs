/**
 * Measures the delay of the server's event loop from within the server's process
 * (NODE_OPTIONS=--import). `GET /` on LOOP_DELAY_PORT returns the delays since the last request in
 * milliseconds, and starts a new measurement. Worker threads are not measured.
 */
import { createServer } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

const port = Number(process.env.LOOP_DELAY_PORT);
// tsx also starts processes that only compile. The delay is measured only in the process that runs
// the server.
if (isMainThread && port && process.argv[1]?.endsWith('server.ts')) {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const cpu = { last: process.cpuUsage() };
  delay.enable();
  const ms = (ns) => Math.round(ns / 1e4) / 100;
  const server = createServer((_request, response) => {
    const { user, system } = process.cpuUsage(cpu.last);
    const answer = {
      p50: ms(delay.percentile(50)),
      p99: ms(delay.percentile(99)),
      p999: ms(delay.percentile(99.9)),
      max: ms(delay.max),
      samples: delay.count,
      cpu_ms: Math.round((user + system) / 1000),
    };
    delay.reset();
    cpu.last = process.cpuUsage();
    response.end(JSON.stringify(answer));
  });
  server.listen(port, '127.0.0.1').unref();
}
