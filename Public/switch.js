// The switch between light and dark colours. Members keep the choice in their settings, visitors in the browser.

import { explain, member, root, say, storage } from './page.js';
import { part, word } from './words.js';

const dark = matchMedia('(prefers-color-scheme: dark)');

function current() {
  if (root.classList.contains('theme-dark')) return 'dark';
  if (root.classList.contains('theme-light')) return 'light';
  return dark.matches ? 'dark' : 'light';
}

function show(theme) {
  root.classList.remove('theme-dark', 'theme-light');
  root.classList.add(`theme-${theme}`);
}

async function keep(theme, old) {
  if (!member) return storage.set('theme', theme);
  const body = new URLSearchParams({ theme });
  const response = await fetch('/settings/preferences', { method: 'POST', body, redirect: 'manual' }).catch(() => null);
  if (response?.type === 'opaqueredirect') return undefined;
  show(old);
  return say(explain(response?.status));
}

export function addSwitch() {
  const button = part('theme');
  const label = button.querySelector('span');
  const name = () => {
    label.textContent = word(current() === 'dark' ? 'theme.light' : 'theme.dark');
    button.title = label.textContent;
  };
  button.addEventListener('click', async () => {
    const old = current();
    const theme = old === 'dark' ? 'light' : 'dark';
    show(theme);
    name();
    await keep(theme, old);
    name();
  });
  dark.addEventListener('change', name);
  name();
  document.querySelector('.site-tools')?.append(button);
}
