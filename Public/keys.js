// Keys, which `?` lists: to move between posts, open one, reply to it, begin one, and search.

import { ask, storage } from './page.js';

const OFF = 'keys-off';
const statuses = () => [...document.querySelectorAll('.status')];
const current = () => document.activeElement?.closest('.status');

function step(by) {
  const bar = document.querySelector('.site-header').offsetHeight;
  const [all, here] = [statuses(), current()];
  // Without a current post, start at the first one that the header does not cover.
  const next = here
    ? all[all.indexOf(here) + by]
    : all.find((status) => status.getBoundingClientRect().bottom > bar + 8);
  if (!next) return;
  next.focus({ preventScroll: true });
  const box = next.getBoundingClientRect();
  if (box.top < bar || box.bottom > innerHeight) next.scrollIntoView({ block: 'start' });
}

function open(selector) {
  const link = current()?.querySelector(selector);
  if (link) location.assign(link.href);
}

function search() {
  const field = document.querySelector('input[type="search"]');
  if (field) field.focus();
  else location.assign('/search');
}

function help() {
  ask('keys');
  // An earlier dialog may not have been removed yet.
  const choice = document.querySelector('dialog[open] [data-keys-on]');
  choice.checked = !storage.get(OFF);
  choice.addEventListener('change', () => {
    if (choice.checked) storage.remove(OFF);
    else storage.set(OFF, '1');
  });
}

const reply = () => open('.actions a[href^="/compose?in_reply_to_id="]');

function compose() {
  const link = document.querySelector('.site-nav a[href="/compose"]');
  if (link) location.assign(link.href);
}

const actions = {
  j: () => step(1), k: () => step(-1), o: () => open('a[rel~="bookmark"]'), r: reply, n: compose, '/': search,
};

// Whether keys are text, or belong to a control or a dialog.
const isTaken = (target) => target.closest?.('input, textarea, select, [contenteditable], dialog, audio, video');

export function listenToKeys() {
  addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (isTaken(event.target) || document.querySelector('dialog[open]')) return;
    if (event.key === '?') help();
    // Enter on a link or a content warning inside a post keeps its default action.
    else if (event.key === 'Enter' && event.target.matches('.status')) open('a[rel~="bookmark"]');
    else if (!storage.get(OFF) && Object.hasOwn(actions, event.key)) actions[event.key]();
    else return;
    // Otherwise, the key would be typed into the field that has the focus now.
    event.preventDefault();
  });
}

// Focusable by script only, so that the Tab key moves from link to link.
export function makeFocusable(content) {
  for (const status of content.querySelectorAll('.status')) status.tabIndex = -1;
}
