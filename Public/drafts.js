// What a member types into the form for new posts is kept in the browser until it is posted, by account and, for a
// reply, by post.

import { member, session, storage } from './page.js';
import { part } from './words.js';

const PREFIX = 'draft ';
const SENT = 'sent';
const OWNER = 'member';

// The fields that a member fills in, in their order; files are on the server.
const fields = (form) => [...form.elements].filter(
  (field) => field.name && !/^(media_|sensitive|add|remove|file)/.test(field.name)
    && !['hidden', 'file', 'submit'].includes(field.type));
const isChoice = (field) => field.type === 'checkbox' || field.type === 'radio';
const valueOf = (field) => (isChoice(field) ? field.checked : field.value);
const values = (form) => fields(form).map(valueOf);
const areSame = (some, others) => JSON.stringify(some) === JSON.stringify(others);

function nameOf(form) {
  return `${PREFIX}${member} ${form.elements.in_reply_to_id?.value ?? ''}`;
}

function fill(form, kept) {
  fields(form).forEach((field, index) => {
    const value = kept[index] ?? '';
    if (value === valueOf(field)) return;
    if (isChoice(field)) field.checked = value;
    else field.value = value;
    field.closest('details')?.setAttribute('open', '');
  });
}

// Fills in a draft.
function restore(form, name, base, kept) {
  fill(form, kept);
  const note = part('draft');
  note.querySelector('[data-discard]').addEventListener('click', () => {
    storage.remove(name);
    fill(form, base);
    note.remove();
    form.elements.status.focus();
  });
  form.prepend(note);
}

export function keepDraft(form) {
  if (!member || form.getAttribute('action') !== '/compose') return;
  const name = nameOf(form);
  const base = values(form);
  const draft = JSON.parse(storage.get(name));
  session.remove(SENT);
  addEventListener('pageshow', ({ persisted }) => { if (persisted) session.remove(SENT); });
  const isFresh = !draft || draft.base[0] === base[0];
  // A draft of another text, such as one that a link has filled in, is left alone; a returned form continues its draft.
  if (!isFresh && draft.values[0] !== base[0]) return;
  const isOther = isFresh && !areSame(draft?.values, base);
  const first = isOther ? base : draft.base;
  if (draft && isOther) restore(form, name, base, draft.values);
  const save = () => {
    const typed = values(form);
    if (areSame(typed, first)) storage.remove(name);
    else storage.set(name, JSON.stringify({ base: first, values: typed }));
  };
  form.addEventListener('input', save);
  form.addEventListener('change', save);
  form.addEventListener('submit', (event) => {
    // Adding a file sends the form, too.
    if (!event.defaultPrevented && !event.submitter?.name) session.set(SENT, name);
  });
}

// A draft is done with when the form has led to another page; neither to one about an error nor to a login.
function clearSent() {
  const name = session.get(SENT);
  session.remove(SENT);
  const from = document.referrer && new URL(document.referrer);
  if (!member || !from || from.origin !== location.origin || from.pathname !== '/compose') return;
  if (name && location.pathname !== '/compose') storage.remove(name);
}

function remove(isOthers) {
  for (const key of storage.keys()) if (key.startsWith(PREFIX) && isOthers(key)) storage.remove(key);
}

export function tidyDrafts(form) {
  if (!form || location.pathname.startsWith('/compose/')) clearSent();
  if (member && storage.get(OWNER) !== member) {
    storage.set(OWNER, member);
    remove((key) => !key.startsWith(`${PREFIX}${member} `));
  }
  // The back button may show a page from before a logout.
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted && member && storage.get(OWNER) !== member) location.reload();
  });
  // Over plain http, browsers ignore the request of the server to clear what is stored.
  document.addEventListener('submit', ({ target }) => {
    if (target.getAttribute('action') !== '/logout') return;
    storage.remove(OWNER);
    remove(() => true);
  });
}
