/**
 * The baseline for the guest page. For every request, Fastify compresses and sends the file named
 * by PAGE.
 */
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import fastify from 'fastify';

const page = readFileSync(process.env.PAGE ?? '');
const app = fastify();
app.get('/healthz', async () => 'ok');
app.get('/*', async (_request, reply) =>
  reply
    .header('content-type', 'text/html; charset=utf-8')
    .header('content-encoding', 'gzip')
    .header('vary', 'accept-encoding')
    .send(await promisify(gzip)(page)),
);
await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) });
