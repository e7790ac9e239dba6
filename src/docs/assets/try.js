// Adds a form to each operation of the API reference. The form sends the request to this server
// with a test key and shows the response. The file is loaded as a module, so that its names are not
// global.
const KEY = /^service_test_(sk|rk)_[0-9A-Za-z]{32,128}$/;
const MOST_SHOWN = 100_000;
const TIMEOUT_MS = 30_000;

/** The test key. It exists only in memory until the page is closed. */
let key = '';
let operations;
/** Loads the example requests of all operations, on first use. */
const load = () => {
  operations ??= fetch('/docs/try.json')
    .then((answer) => answer.json())
    .catch(() => {
      operations = undefined;
      return null;
    });
  return operations;
};

function element(name, properties = {}, ...children) {
  const made = document.createElement(name);
  for (const [property, value] of Object.entries(properties))
    if (property.includes('-')) made.setAttribute(property, value);
    else made[property] = value;
  made.append(...children);
  return made;
}

function field(id, label, hint, control) {
  control.id = id;
  const parts = [element('label', { htmlFor: id }, label), control];
  if (hint) {
    control.setAttribute('aria-describedby', `${id}-hint`);
    parts.push(element('small', { id: `${id}-hint` }, hint));
  }
  return element('div', { className: 'field' }, ...parts);
}

/** Returns the problem with a key, or nothing. The form never sends a live key. */
function wrongWith(given) {
  if (given === '') return 'Paste a test key.';
  if (given.startsWith('service_live_')) return 'This is a live key. It was not sent: use a test key.';
  return KEY.test(given) ? '' : 'This is not a test key. Test keys start with service_test_sk_ or service_test_rk_.';
}

function build(details, name, { method, path, parameters, body }) {
  const id = `try-${name}`;
  const input = (properties) =>
    element('input', { type: 'text', autocomplete: 'off', spellcheck: false, ...properties });
  const secret = input({ type: 'password', className: 'key', value: key });
  secret.addEventListener('input', () => {
    key = secret.value.trim();
    for (const other of document.querySelectorAll('.try .key')) if (other !== secret) other.value = secret.value;
  });
  const controls = parameters.map((one) => ({
    ...one,
    control: input({ placeholder: one.example, required: one.place === 'path' }),
  }));
  const text =
    body && element('textarea', { rows: Math.min(16, body.split('\n').length + 1), spellcheck: false, value: body });
  const send = element('button', { type: 'submit' }, 'Send');
  const status = element('p', { className: 'said', role: 'status' });
  const answer = element('div', { className: 'answer' });
  const form = element(
    'form',
    { noValidate: true },
    field(`${id}-key`, 'Test key', 'Kept only in this page’s memory, until you leave the page.', secret),
    ...controls.map(({ name: parameter, place, control }) =>
      field(`${id}-${parameter}`, element('code', {}, parameter), place === 'path' ? 'Required' : '', control),
    ),
    ...(text ? [field(`${id}-body`, 'Body', '', text)] : []),
    element('p', { className: 'send' }, send, element('code', {}, `${method} /v1${path}`)),
    status,
  );
  const refuse = (control, message) => {
    status.textContent = message;
    control.setAttribute('aria-invalid', 'true');
    control.focus();
  };

  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    for (const control of form.querySelectorAll('[aria-invalid]')) control.removeAttribute('aria-invalid');
    answer.replaceChildren();
    const wrong = wrongWith(secret.value.trim());
    if (wrong) return refuse(secret, wrong);
    const query = new URLSearchParams();
    let target = path;
    for (const { name: parameter, place, control } of controls) {
      const value = control.value.trim();
      if (place === 'path' && value === '') return refuse(control, `${parameter} is required.`);
      if (place === 'path') target = target.replace(`{${parameter}}`, encodeURIComponent(value));
      else if (value !== '') query.set(parameter, value);
    }
    if (text) {
      try {
        JSON.parse(text.value);
      } catch {
        return refuse(text, 'The body is not JSON.');
      }
    }
    send.disabled = true;
    status.textContent = 'Sending…';
    const began = performance.now();
    try {
      const got = await fetch(`/v1${target}${query.size > 0 ? `?${query}` : ''}`, {
        method,
        headers: {
          Authorization: `Bearer ${secret.value.trim()}`,
          ...(text && { 'Content-Type': 'application/json' }),
        },
        body: text?.value,
        credentials: 'omit',
        cache: 'no-store',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      answer.replaceChildren(...(await shown(got)));
      status.textContent = `${got.status} ${got.statusText}, ${Math.round(performance.now() - began)} ms`;
    } catch {
      status.textContent = 'No response.';
    }
    send.disabled = false;
  });
  details.append(form, answer);
}

const box = (title, content) =>
  element(
    'figure',
    { className: 'code' },
    element('figcaption', {}, title),
    element('pre', { tabIndex: 0 }, element('code', {}, content)),
  );

/** Formats a response with its request, body and headers. */
async function shown(got) {
  const type = got.headers.get('content-type') ?? '';
  const request = got.headers.get('x-request-id');
  const parts = [];
  if (request)
    parts.push(
      element('p', {}, 'Request ', element('a', { href: `/developers/logs/${encodeURIComponent(request)}` }, request)),
    );
  if (/\bjson\b/.test(type)) {
    const body = await got.text();
    const readable = body === '' ? '' : JSON.stringify(JSON.parse(body), null, 2);
    parts.push(box('Body', readable.length > MOST_SHOWN ? `${readable.slice(0, MOST_SHOWN)}\n…` : readable));
  } else {
    const { size } = await got.blob();
    parts.push(element('p', {}, size === 0 ? 'No body.' : `${type || 'A file'}, ${size.toLocaleString('en')} bytes.`));
  }
  const headers = [...got.headers].map(([name, value]) => `${name}: ${value}`).join('\n');
  parts.push(element('details', {}, element('summary', {}, 'Headers'), box('Headers', headers)));
  return parts;
}

for (const heading of document.querySelectorAll('.reference h2[id]')) {
  let after = heading.nextElementSibling;
  while (after && after.tagName !== 'H2' && !after.classList.contains('tabs')) after = after.nextElementSibling;
  if (!after?.classList.contains('tabs')) continue;
  const details = element(
    'details',
    { className: 'try' },
    element('summary', {}, 'Try it', element('span', { className: 'unseen' }, `: ${heading.firstChild.textContent}`)),
  );
  details.addEventListener('toggle', async () => {
    if (!details.open || details.querySelector('form')) return;
    const known = (await load())?.[heading.id];
    if (known && !details.querySelector('form')) build(details, heading.id, known);
  });
  after.after(details);
}
