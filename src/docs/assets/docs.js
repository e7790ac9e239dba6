// The script of a documentation page: copy buttons, search, light and dark theme, and the language
// of the code samples.
const html = document.documentElement;

for (const button of document.querySelectorAll('button.copy')) {
  button.hidden = false;
  button.addEventListener('click', async () => {
    const code = button.closest('figure')?.querySelector('code')?.textContent ?? '';
    const copied = await navigator.clipboard?.writeText(code).then(
      () => true,
      () => false,
    );
    button.textContent = copied ? 'Copied' : 'Press Ctrl+C';
    if (!copied) getSelection()?.selectAllChildren(button.closest('figure').querySelector('code'));
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 1500);
  });
}

// The language that the reader chooses for one sample applies to all samples.
const LANGUAGE = 'threshold_docs_language';
function choose(language) {
  for (const radio of document.querySelectorAll('.tabs input')) if (radio.value === language) radio.checked = true;
}
function remembered() {
  try {
    return localStorage.getItem(LANGUAGE);
  } catch {
    return null;
  }
}
const language = remembered();
if (language) choose(language);
document.addEventListener('change', ({ target }) => {
  if (!target.closest('.tabs')) return;
  const top = target.getBoundingClientRect().top;
  choose(target.value);
  scrollBy(0, target.getBoundingClientRect().top - top);
  try {
    localStorage.setItem(LANGUAGE, target.value);
  } catch {
    // When browser storage is unavailable, the reader chooses the language again on each page.
  }
});

const theme = document.querySelector('button.theme');
theme.hidden = false;
theme.addEventListener('click', () => {
  const dark =
    html.classList.contains('dark') ||
    (!html.classList.contains('light') && matchMedia('(prefers-color-scheme: dark)').matches);
  html.classList.remove('light', 'dark');
  html.classList.add(dark ? 'light' : 'dark');
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser.
  document.cookie = `threshold_theme=${dark ? 'light' : 'dark'}; path=/; max-age=31536000; samesite=lax`;
});

const box = document.querySelector('.search');
const field = document.getElementById('search');
const list = document.getElementById('found');
box.hidden = false;
let index;
let active = -1;

async function load() {
  index ??= fetch('/docs/search.json')
    .then((answer) => answer.json())
    .then((entries) =>
      entries.map((entry) => ({ ...entry, all: `${entry.h} ${entry.p} ${entry.x} ${entry.k ?? ''}`.toLowerCase() })),
    )
    .catch(() => {
      index = undefined;
      return [];
    });
  return index;
}

function score({ h, p, all }, words) {
  if (!words.every((word) => all.includes(word))) return 0;
  const heading = h.toLowerCase();
  return words.reduce(
    (sum, word) =>
      sum + (heading === word ? 20 : heading.includes(word) ? 8 : 0) + (p.toLowerCase().includes(word) ? 3 : 0) + 1,
    0,
  );
}

function show(found) {
  active = -1;
  field.removeAttribute('aria-activedescendant');
  list.replaceChildren(
    ...found.map(({ u, h, p, x }, at) => {
      const item = document.createElement('li');
      item.id = `found-${at}`;
      item.setAttribute('role', 'option');
      item.setAttribute('aria-selected', 'false');
      const link = document.createElement('a');
      link.href = u;
      link.tabIndex = -1;
      const title = document.createElement('b');
      title.textContent = h;
      const where = document.createElement('small');
      where.textContent = h === p ? x.slice(0, 90) : p;
      link.append(title, where);
      item.append(link);
      return item;
    }),
  );
  if (found.length === 0 && field.value.trim()) {
    const none = document.createElement('li');
    none.className = 'none';
    none.textContent = 'No results.';
    list.append(none);
  }
  list.hidden = field.value.trim() === '';
  field.setAttribute('aria-expanded', String(!list.hidden));
}

function mark(step) {
  const items = [...list.querySelectorAll('[role=option]')];
  if (items.length === 0) return;
  items[active]?.setAttribute('aria-selected', 'false');
  active = (active + step + items.length) % items.length;
  items[active].setAttribute('aria-selected', 'true');
  items[active].scrollIntoView({ block: 'nearest' });
  field.setAttribute('aria-activedescendant', items[active].id);
}

field.addEventListener('focus', load);
field.addEventListener('input', async () => {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  const entries = await load();
  if (words.join() !== field.value.toLowerCase().split(/\s+/).filter(Boolean).join()) return;
  show(
    entries
      .map((entry) => ({ entry, points: words.length ? score(entry, words) : 0 }))
      .filter(({ points }) => points > 0)
      .sort((a, b) => b.points - a.points)
      .slice(0, 12)
      .map(({ entry }) => entry),
  );
});
field.addEventListener('keydown', (event) => {
  if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
    event.preventDefault();
    mark(event.key === 'ArrowDown' ? 1 : -1);
  } else if (event.key === 'Enter') {
    list.querySelectorAll('[role=option]')[Math.max(active, 0)]?.querySelector('a').click();
  } else if (event.key === 'Escape') {
    field.value = '';
    show([]);
    field.blur();
  }
});
document.addEventListener('click', ({ target }) => {
  if (target.closest('.search a')) {
    field.value = '';
    show([]);
  } else if (!target.closest('.search')) {
    list.hidden = true;
    field.setAttribute('aria-expanded', 'false');
  }
});
document.addEventListener('keydown', (event) => {
  if (
    event.key === '/' &&
    !event.ctrlKey &&
    !event.metaKey &&
    !/^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName)
  ) {
    event.preventDefault();
    field.focus();
  }
});
