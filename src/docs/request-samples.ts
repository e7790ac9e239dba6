/** Renders one request in six languages, each with the language's standard library. */

export interface SampleRequest {
  readonly method: string;
  readonly url: string;
  /** A JSON value. Undefined for a request without a body. */
  readonly body?: unknown;
}

const INDENT = '    ';
const indented = (text: string, by: string) => text.replaceAll('\n', `\n${by}`);
const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

interface Words {
  readonly open: readonly [list: string, map: string];
  readonly close: readonly [list: string, map: string];
  readonly pair: string;
  readonly nothing: string;
  readonly bool: (value: boolean) => string;
  readonly text: (value: string) => string;
}

const plain = (value: boolean) => String(value);
const PYTHON: Words = {
  open: ['[', '{'],
  close: [']', '}'],
  pair: ': ',
  nothing: 'None',
  bool: (value) => (value ? 'True' : 'False'),
  text: (value) => JSON.stringify(value),
};
const PHP: Words = { open: ['[', '['], close: [']', ']'], pair: ' => ', nothing: 'null', bool: plain, text: quoted };
const RUBY: Words = { open: ['[', '{'], close: [']', '}'], pair: ' => ', nothing: 'nil', bool: plain, text: quoted };

/** Converts a JSON value to a literal of a language. */
function literal(value: unknown, words: Words): string {
  if (value === null || value === undefined) return words.nothing;
  if (typeof value === 'boolean') return words.bool(value);
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return words.text(value);
  const kind = Array.isArray(value) ? 0 : 1;
  const parts = Array.isArray(value)
    ? value.map((item) => literal(item, words))
    : Object.entries(value).map(([name, item]) => `${words.text(name)}${words.pair}${literal(item, words)}`);
  const [open, close] = [words.open[kind], words.close[kind]];
  if (parts.length === 0) return open + close;
  return `${open}\n${INDENT}${indented(parts.join(',\n'), INDENT)},\n${close}`;
}

const json = (value: unknown) => JSON.stringify(value, null, 2);

/**
 * Returns the code of a request for each language. The keys are the words after the fence of a code
 * block.
 */
export function buildRequestSamples({ method, url, body }: SampleRequest): Record<string, string> {
  const has_body = body !== undefined;
  const posts = method === 'POST';
  return {
    sh: [
      `curl${method === 'GET' ? '' : ` -X ${method}`} '${url}'`,
      '-H "Authorization: Bearer $THRESHOLD_KEY"',
      ...(posts ? ['-H "Idempotency-Key: $(uuidgen)"'] : []),
      ...(has_body ? ["-H 'Content-Type: application/json'", `-d '${json(body).replaceAll("'", "'\\''")}'`] : []),
    ].join(' \\\n  '),
    ts: `const response = await fetch('${url}', {
  method: '${method}',
  headers: {
    Authorization: \`Bearer \${process.env.THRESHOLD_KEY}\`,${posts ? "\n    'Idempotency-Key': crypto.randomUUID()," : ''}${has_body ? "\n    'Content-Type': 'application/json'," : ''}
  },${has_body ? `\n  body: JSON.stringify(${indented(json(body), '  ')}),` : ''}
});
console.log(response.status, await response.text());`,
    python: `import json, os, urllib.request, uuid

request = urllib.request.Request(
    "${url}",
    method="${method}",
    headers={
        "Authorization": "Bearer " + os.environ["THRESHOLD_KEY"],${posts ? '\n        "Idempotency-Key": str(uuid.uuid4()),' : ''}${has_body ? '\n        "Content-Type": "application/json",' : ''}
    },${has_body ? `\n    data=json.dumps(${indented(literal(body, PYTHON), INDENT)}).encode(),` : ''}
)
with urllib.request.urlopen(request) as response:
    print(response.status, response.read().decode())`,
    php: `<?php
$context = stream_context_create(['http' => [
    'method' => '${method}',
    'header' => [
        'Authorization: Bearer ' . getenv('THRESHOLD_KEY'),${posts ? "\n        'Idempotency-Key: ' . bin2hex(random_bytes(16))," : ''}${has_body ? "\n        'Content-Type: application/json'," : ''}
    ],${has_body ? `\n    'content' => json_encode(${indented(literal(body, PHP), INDENT)}),` : ''}
    'ignore_errors' => true,
]]);
echo file_get_contents('${url}', false, $context);`,
    ruby: `require 'json'
require 'net/http'
require 'securerandom'

uri = URI('${url}')
request = Net::HTTP::${method.charAt(0)}${method.slice(1).toLowerCase()}.new(uri)
request['Authorization'] = "Bearer #{ENV.fetch('THRESHOLD_KEY')}"${posts ? "\nrequest['Idempotency-Key'] = SecureRandom.uuid" : ''}${has_body ? `\nrequest['Content-Type'] = 'application/json'\nrequest.body = JSON.generate(${literal(body, RUBY)})` : ''}
response = Net::HTTP.start(uri.host, uri.port, use_ssl: uri.scheme == 'https') { |http| http.request(request) }
puts response.code, response.body`,
    go: `package main

import (${posts ? '\n	"crypto/rand"' : ''}
	"fmt"
	"io"
	"net/http"
	"os"${has_body ? '\n	"strings"' : ''}
)

func main() {
	${has_body ? `body := strings.NewReader(\`${json(body).replaceAll('`', '` + "`" + `')}\`)\n\t` : ''}request, _ := http.NewRequest("${method}", "${url}", ${has_body ? 'body' : 'nil'})
	request.Header.Set("Authorization", "Bearer "+os.Getenv("THRESHOLD_KEY"))${posts ? '\n	key := make([]byte, 16)\n	rand.Read(key)\n	request.Header.Set("Idempotency-Key", fmt.Sprintf("%x", key))' : ''}${has_body ? '\n	request.Header.Set("Content-Type", "application/json")' : ''}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		panic(err)
	}
	defer response.Body.Close()
	answer, _ := io.ReadAll(response.Body)
	fmt.Println(response.StatusCode, string(answer))
}`,
  };
}
