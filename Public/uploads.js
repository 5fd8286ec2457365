// Forms with files are sent with a view of their progress.

import { enhanced, explain, parse, say } from './page.js';
import { part, word } from './words.js';

const PREVIEW = 320;

// Sends a form. The promise fails with the status of a response that is not a page, or without one.
function send(form, body, { onProgress, signal }) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', form.action);
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total ? loaded / total : 0));
    request.addEventListener('load', () => {
      const page = request.getResponseHeader('Content-Type')?.startsWith('text/html');
      // A form that is refused comes back with the reason.
      if (page && (request.status < 300 || [400, 409, 413, 422, 507].includes(request.status))) resolve(request);
      else reject(request.status);
    });
    request.addEventListener('error', () => reject(0));
    request.addEventListener('abort', () => reject(null));
    signal.addEventListener('abort', () => request.abort());
    request.send(body);
  });
}

// A drawing, because the policy of the pages permits no address of a local file.
async function draw(file, place) {
  if (!file.type.startsWith('image/')) return;
  try {
    const picture = await createImageBitmap(file);
    const scale = Math.min(1, PREVIEW / Math.max(picture.width, picture.height));
    const canvas = document.createElement('canvas');
    canvas.className = 'upload-preview';
    [canvas.width, canvas.height] = [picture.width * scale, picture.height * scale].map(Math.ceil);
    canvas.getContext('2d').drawImage(picture, 0, 0, canvas.width, canvas.height);
    picture.close();
    place.prepend(canvas);
  } catch {
    // The server decides whether it is a picture.
  }
}

// Shows the progress of files at a place, and returns the response to the form; `null` if it was cancelled or failed.
export async function upload(form, body, files, place) {
  const box = part('upload');
  const [text, bar] = [box.querySelector('.upload-name'), box.querySelector('progress')];
  const name = files.map((file) => file.name).join(', ');
  const cancel = new AbortController();
  box.querySelector('[data-cancel]').addEventListener('click', () => cancel.abort());
  bar.setAttribute('aria-label', name);
  text.textContent = name;
  place.append(box);
  files.forEach((file) => draw(file, box));
  const onProgress = (fraction) => {
    const n = Math.floor(fraction * 100);
    bar.value = n;
    // Screen readers hear about every quarter.
    if (n === 100) text.textContent = word('upload.working', { name });
    else if (n % 25 === 0) text.textContent = word('upload.progress', { name, n });
  };
  try {
    return await send(form, body, { onProgress, signal: cancel.signal });
  } catch (status) {
    if (status !== null) say(status ? explain(status) : word('upload.failed'));
    return null;
  } finally {
    box.remove();
  }
}

// Other forms with files: the page that follows is loaded, or the form is shown again with the reason.
async function submit(form, files, submitter) {
  const body = new FormData(form);
  if (submitter?.name) body.append(submitter.name, submitter.value);
  const buttons = form.querySelectorAll('button');
  for (const button of buttons) button.disabled = true;
  const response = await upload(form, body, files, form);
  for (const button of buttons) button.disabled = false;
  if (!response) return;
  if (response.status < 300) {
    location.assign(response.responseURL);
    return;
  }
  const main = parse(response.responseText).querySelector('main form')?.closest('main');
  // The error of a proxy.
  if (!main) {
    say(word('upload.failed'));
    return;
  }
  document.querySelector('main').replaceWith(document.adoptNode(main));
  enhanced(main);
}

export function sendFiles() {
  document.addEventListener('submit', (event) => {
    const form = event.target;
    if (event.defaultPrevented || form.enctype !== 'multipart/form-data' || form.method !== 'post') return;
    const files = [...form.querySelectorAll('input[type="file"]')].flatMap((field) => [...field.files]);
    if (files.length === 0) return;
    event.preventDefault();
    submit(form, files, event.submitter);
  });
}
