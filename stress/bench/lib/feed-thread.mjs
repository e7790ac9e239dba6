/**
 * Serves calendars in a separate thread, because serving them is not part of the product's work.
 */
import { createServer } from 'node:http';
import { parentPort } from 'node:worker_threads';

let body = '';
const server = createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'text/calendar; charset=utf-8' }).end(body);
});
server.listen(0, '127.0.0.1', () => parentPort.postMessage(`http://127.0.0.1:${server.address().port}/calendar.ics`));
parentPort.on('message', (text) => {
  body = text;
  parentPort.postMessage('served');
});
