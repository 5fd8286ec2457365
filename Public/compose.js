// The form for posts: files are uploaded as soon as they are chosen, dropped or pasted, and posts whose media lack a
// description are asked about once.

import { ask, parse, say } from './page.js';
import { upload } from './uploads.js';
import { word } from './words.js';

const KINDS = /^(image|video|audio)\//;

// The part of the form with the media, which the server makes.
const mediaPart = (content) => content.querySelector('fieldset.form-part');

// Shows the media of a response. What has been typed about the others since is kept.
function show(form, response) {
  const [old, made] = [mediaPart(form), mediaPart(parse(response.responseText))];
  if (!made) throw new Error(response.status);
  const typed = new Map([...old.querySelectorAll('[name]')].map((field) => [field.id, field]));
  for (const field of made.querySelectorAll('textarea, select')) {
    if (typed.has(field.id)) field.value = typed.get(field.id).value;
  }
  const hides = 'input[type="checkbox"][name="sensitive"]';
  made.querySelector(hides).checked = old.querySelector(hides).checked;
  const isFocused = old.contains(document.activeElement);
  old.replaceWith(document.adoptNode(made));
  prepare(form);
  if (isFocused) (made.querySelector('[aria-invalid="true"]') ?? lastDescription(made))?.focus();
}

const descriptions = (content) => [...content.querySelectorAll('textarea[name$="[description]"]')];
const lastDescription = (content) => descriptions(content).pop() ?? content.querySelector('input[type="file"]');

// One after the other, because each answer contains all files.
let queue = Promise.resolve();
let waiting = 0;
// Sends the form when nothing is left to wait for, unless something fails.
let send;

function exchange(form, files, change) {
  waiting += 1;
  queue = queue.then(async () => {
    const body = new FormData(form);
    body.delete('file');
    for (const file of files) body.append('file', file);
    change(body);
    const response = await upload(form, body, files, mediaPart(form));
    if (response) show(form, response);
    if (!response || response.status > 299) send = undefined;
  }).catch(() => {
    send = undefined;
    say(word('upload.failed'));
  }).finally(() => {
    waiting -= 1;
    if (waiting > 0) return;
    const action = send;
    send = undefined;
    action?.();
  });
}

function add(form, files) {
  const known = files.filter((file) => KINDS.test(file.type));
  if (known.length < files.length) say(word('upload.kind'));
  if (known.length > 0) exchange(form, known, (body) => body.set('add', '1'));
}

// Adds what script does to the part with the media.
function prepare(form) {
  const field = form.querySelector('input[type="file"]');
  if (!field) return;
  field.addEventListener('change', () => {
    add(form, [...field.files]);
    field.value = '';
  });
  form.querySelector('#file-hint')?.append(' ', word('upload.hint'));
  // Nothing is left to press it for.
  form.querySelector('button[name="add"]')?.parentElement.remove();
}

function acceptDrops(form) {
  const hasFiles = (event) => event.dataTransfer?.types.includes('Files');
  const accepts = () => form.querySelector('input[type="file"]') !== null;
  addEventListener('dragover', (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    form.classList.toggle('is-target', accepts());
  });
  addEventListener('dragleave', (event) => { if (!event.relatedTarget) form.classList.remove('is-target'); });
  addEventListener('drop', (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    form.classList.remove('is-target');
    if (accepts()) add(form, [...event.dataTransfer.files]);
  });
  addEventListener('paste', (event) => {
    const files = [...(event.clipboardData?.files ?? [])];
    // Office programs add a picture of what is copied to its text.
    if (files.length === 0 || !accepts() || event.clipboardData.types.includes('text/plain')) return;
    event.preventDefault();
    add(form, files);
  });
}

// --- Sending ---

let isConfirmed = false;

async function remind(form, submitter) {
  const missing = descriptions(form).find((field) => !field.value.trim());
  if (await ask('describe') === 'confirm') {
    isConfirmed = true;
    form.requestSubmit(submitter);
  } else {
    missing.focus();
  }
}

// Whether the form has to wait.
function holds(form, event) {
  const { submitter } = event;
  if (submitter?.name === 'remove') {
    exchange(form, [], (body) => body.set('remove', submitter.value));
    return true;
  }
  if (waiting > 0) {
    send = () => form.requestSubmit(submitter);
    return true;
  }
  if (isConfirmed || descriptions(form).every((field) => field.value.trim())) return false;
  remind(form, submitter);
  return true;
}

export function improve(form) {
  if (mediaPart(form)) {
    prepare(form);
    acceptDrops(form);
  }
  form.addEventListener('submit', (event) => { if (holds(form, event)) event.preventDefault(); });
}
