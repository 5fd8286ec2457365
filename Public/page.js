// What the other modules share: who reads the page, messages, dialogs, and what is stored in the browser.

import { part, word } from './words.js';

const MESSAGE_TIME = 10_000;

export const root = document.documentElement;
// The path of the reader's profile; empty for visitors.
export const member = root.dataset.member ?? '';

// Storage may be forbidden, or full; then, a page keeps things for itself only.
function wrap(name) {
  const use = (action) => {
    try { return action(window[name]); } catch { return null; }
  };
  return {
    get: (key) => use((area) => area.getItem(key)),
    set: (key, value) => use((area) => area.setItem(key, value)),
    remove: (key) => use((area) => area.removeItem(key)),
    keys: () => use(Object.keys) ?? [],
  };
}

export const storage = wrap('localStorage');
export const session = wrap('sessionStorage');

let box, timer;

// Shows a message at the edge of the window, and announces it.
export function say(text) {
  if (!box) {
    // A region must exist before it changes, or screen readers miss the change.
    box = document.createElement('div');
    box.className = 'message';
    box.setAttribute('role', 'alert');
    document.body.append(box);
  }
  clearTimeout(timer);
  box.textContent = text;
  timer = setTimeout(() => { box.textContent = ''; }, MESSAGE_TIME);
}

// The message about a request that has failed.
export function explain(status) {
  if (status === 401) return word('failed.login');
  if (status === 429) return word('failed.rate');
  return word(status > 0 && status < 500 ? 'failed.refused' : 'failed.network');
}

// Opens a dialog, and returns the name of what closed it: `close` or `confirm`.
export function ask(name) {
  const dialog = part(name);
  document.body.append(dialog);
  return new Promise((resolve) => {
    let answer = 'close';
    dialog.addEventListener('click', ({ target }) => {
      if (target.closest('[data-confirm]')) answer = 'confirm';
      if (target.closest('[data-confirm], [data-close]')) dialog.close();
    });
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(answer);
    });
    dialog.showModal();
  });
}

// The content of a page of this server.
export const parse = (html) => new DOMParser().parseFromString(html, 'text/html');

// What happens to the content of the page, and later to what is added to it.
const steps = [];
export function enhance(step) {
  steps.push(step);
  step(document);
}
export const enhanced = (content) => steps.forEach((step) => step(content));
