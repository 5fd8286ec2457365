// Keeps the pages that were read last, for times without a connection, and the style and the modules of the pages. It
// never touches the API, files, media or parts of them.
//
// There is at most one cache of pages, named after the reader: `pages /@NAME`, or `pages ` for visitors. A page of
// somebody else deletes it. At logout, the server also asks browsers to clear everything.

'use strict';

const PAGES = 'pages ';
const ASSETS = 'assets';
const LIMIT = 40;
// Not pages, or pages that nobody needs without a connection.
const OTHERS = /^\/(api|uploads|files|media|oauth|admin|settings|login|join|compose|reset|\w+\.aspx)(\/|$)/;
// What all pages contain, but neither uploaded files nor the errors of a proxy.
const OURS = /<script type="module" src="\/assets\/[0-9a-f]+\/reader\.js"/;
const ASSET = /^\/assets\/([0-9a-f]+\/\w+\.js|(style\.css|icon\.svg)\?v=[0-9a-f]+)$/;

// The reader of the newest page, and a number that changes with the reader. A page that was asked for under another
// number may belong to somebody else by now.
let reader;
let epoch = 0;

async function drop(except) {
  const names = await caches.keys();
  const others = names.filter((name) => name.startsWith(PAGES) && name !== except);
  await Promise.all(others.map((name) => caches.delete(name)));
}

function forget() {
  reader = undefined;
  epoch += 1;
  return drop();
}

function readerOf(html) {
  const [tag] = html.match(/<html[^>]*>/) ?? [''];
  return tag.match(/ data-member="([^"]*)"/)?.[1] ?? '';
}

async function trim(cache) {
  const keys = await cache.keys();
  await Promise.all(keys.slice(0, Math.max(0, keys.length - LIMIT)).map((key) => cache.delete(key)));
}

const isKept = (response) => response.status === 200 && !/no-store/.test(response.headers.get('Cache-Control') ?? '');

// Keeps a page, and forgets those of others.
async function keep(request, response, began) {
  if (response.status === 401) return forget();
  if (response.status > 499 || response.type !== 'basic') return undefined;
  if (!response.headers.get('Content-Type')?.startsWith('text/html')) return undefined;
  const html = await response.text();
  if (began !== epoch || !OURS.test(html)) return undefined;
  const name = PAGES + readerOf(html);
  if (name !== reader) {
    reader = name;
    epoch += 1;
  }
  const now = epoch;
  await drop(name);
  if (!isKept(response)) return undefined;
  const headers = new Headers(response.headers);
  // The text is neither compressed nor of that length any more.
  for (const field of ['Content-Encoding', 'Content-Length']) headers.delete(field);
  headers.set('X-Saved', Date.now());
  const cache = await caches.open(name);
  // Deleted first, so that the newest are the last.
  await cache.delete(request.url);
  await cache.put(request.url, new Response(html, { headers }));
  if (now !== epoch) return drop(reader);
  return trim(cache);
}

// The page as it was kept, with the time; the script of the page tells the reader.
async function kept(request) {
  const name = (await caches.keys()).find((each) => each.startsWith(PAGES));
  const response = name && await (await caches.open(name)).match(request.url);
  if (!response) return Response.error();
  const html = (await response.text()).replace('<html ', `<html data-saved="${response.headers.get('X-Saved')}" `);
  return new Response(html, { headers: response.headers });
}

async function page(event) {
  const began = epoch;
  let response;
  try {
    response = await fetch(event.request);
  } catch {
    return kept(event.request);
  }
  event.waitUntil(keep(event.request, response.clone(), began).catch(() => {}));
  return response;
}

// An address with a version never changes, if the server still has that version.
async function asset(request) {
  // Storage may be forbidden, or full.
  const cache = await caches.open(ASSETS).catch(() => null);
  const known = await cache?.match(request);
  if (known) return known;
  const response = await fetch(request);
  if (cache && response.ok && response.headers.get('Cache-Control')?.includes('immutable')) {
    await replace(cache, request, response.clone()).catch(() => {});
  }
  return response;
}

// Stores an asset in place of its older versions.
async function replace(cache, request, response) {
  const name = (address) => new URL(address).pathname.split('/').pop();
  const old = (await cache.keys()).filter((each) => name(each.url) === name(request.url));
  await Promise.all(old.map((each) => cache.delete(each)));
  await cache.put(request, response);
}

addEventListener('install', () => skipWaiting());
addEventListener('activate', (event) => event.waitUntil(clients.claim()));

addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  // A login begins or ends, or has ended elsewhere.
  if (request.mode === 'navigate' && /^\/log(in|out)$/.test(url.pathname)) event.waitUntil(forget());
  if (request.method !== 'GET' || url.origin !== location.origin || request.headers.has('Range')) return;
  if (request.mode === 'navigate') {
    if (!OTHERS.test(url.pathname)) event.respondWith(page(event));
  } else if (ASSET.test(url.pathname + url.search)) {
    event.respondWith(asset(request));
  }
});
