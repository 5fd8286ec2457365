// The next page of a list loads when the reader comes near its end. The entry of the page in the history remembers what
// has been added and which entry is at the top, so that the back button and a reload lead to the same place.

import { enhanced, member, parse, say } from './page.js';
import { word } from './words.js';

const DISTANCE = '1200px';
const DELAY = 300;
// The button leads to what is beyond.
const LIMIT = 20;

// A profile may have pinned posts before the others; lists of something else precede an empty one of posts.
const lastList = (content) => [...content.querySelectorAll('main :is(.timeline, .persons, .rows)')]
  .filter((each) => each.children.length > 0).pop();
const list = lastList(document);
const pager = document.querySelector('.pager');
const state = { pages: [] };
let isLoading = false;
let observer, timer;

const link = () => pager?.querySelector('.pager-older');
const idOf = (entry) => entry.dataset.id ?? null;

async function load(address) {
  const response = await fetch(address, { redirect: 'error' });
  if (!response.ok) throw new Error(response.status);
  const content = parse(await response.text());
  // Another tab has logged out, or logged in as somebody else.
  if ((content.documentElement.dataset.member ?? '') !== member) return location.reload();
  return append(content, address);
}

function append(content, address) {
  const known = new Set([...list.children].map(idOf));
  const entries = [...(lastList(content)?.children ?? [])].filter((entry) => !known.has(idOf(entry)) || !idOf(entry));
  const added = document.createDocumentFragment();
  added.append(...entries.map((entry) => document.adoptNode(entry)));
  enhanced(added);
  list.append(added);
  state.pages.push(address);
  const next = content.querySelector('.pager-older');
  if (next) link().href = next.getAttribute('href');
  else link().remove();
}

async function loadNext() {
  if (isLoading || !link() || state.pages.length >= LIMIT) return;
  isLoading = true;
  try {
    await load(link().getAttribute('href'));
    history.scrollRestoration = 'manual';
    watch();
  } catch {
    // The button still works.
    observer.disconnect();
    say(word('older.failed'));
  } finally {
    isLoading = false;
    remember();
  }
}

// Tells whether the end is still near.
function watch() {
  observer.disconnect();
  if (link()) observer.observe(pager);
}

// --- The place in the history ---

const bar = () => document.querySelector('.site-header').offsetHeight;

function place() {
  const entries = [...list.children];
  const index = entries.findIndex((entry) => entry.getBoundingClientRect().bottom > bar());
  if (index < 0) return null;
  return { index, id: idOf(entries[index]), top: entries[index].getBoundingClientRect().top };
}

function remember() {
  clearTimeout(timer);
  timer = undefined;
  if (state.pages.length === 0 || isLoading) return;
  history.replaceState({ pages: state.pages, place: place() }, '');
}

export function forgetPlace() {
  state.pages = [];
  history.replaceState(null, '');
}

function scrollBack({ index, id, top }) {
  const entries = [...list.children];
  const entry = entries.find((each) => id && idOf(each) === id) ?? entries[index];
  if (entry) scrollBy({ top: entry.getBoundingClientRect().top - top, behavior: 'instant' });
}

async function restore({ pages, place: last }) {
  isLoading = true;
  try {
    for (const address of pages) await load(address);
    if (last) scrollBack(last);
  } catch {
    // What has been loaded is shown.
  } finally {
    isLoading = false;
  }
}

export async function loadOlder() {
  if (!list || !link() || !('IntersectionObserver' in window)) return;
  observer = new IntersectionObserver((entries) => {
    if (entries.some((entry) => entry.isIntersecting)) loadNext();
  }, { rootMargin: `0px 0px ${DISTANCE}` });
  const [visit] = performance.getEntriesByType('navigation');
  const kept = visit?.type === 'navigate' ? null : history.state;
  if (kept?.pages?.length) await restore(kept);
  watch();
  addEventListener('scroll', () => { timer ??= setTimeout(remember, DELAY); }, { passive: true });
  // Before the page is left.
  document.addEventListener('click', remember, { capture: true });
  document.addEventListener('visibilitychange', remember);
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted && history.state?.place) scrollBack(history.state.place);
  });
}
