// New statuses are only counted, not inserted, so that the text being read does not move.

import { forgetPlace } from './older.js';
import { count, word } from './words.js';

const PERIOD = 30_000;
const LIMIT = 40;
const API = '/api/v1/';

// `public`, `home`, `tag/NAME` or `list/ID`, as in the paths of timelines.
const timeline = document.body.dataset.live;
// The newest entry, which may be a boost with an id of its own.
const { newest } = document.body.dataset;
const fresh = new Set();
// Deleted ones, which a late answer may still contain.
const gone = new Set();
let asked = 0;
let button;

function stream() {
  const [kind, name] = timeline.split('/');
  if (kind === 'home') return 'streaming/user';
  if (kind === 'tag') return `streaming/hashtag?tag=${name}`;
  return kind === 'list' ? `streaming/list?list=${name}` : 'streaming/public';
}

function show() {
  if (fresh.size === 0) {
    button?.remove();
    button = undefined;
    return;
  }
  const text = fresh.size < LIMIT ? count('new', fresh.size) : word('new.many', { n: LIMIT });
  if (!button) {
    button = document.createElement('button');
    button.type = 'button';
    button.addEventListener('click', () => {
      // A reload would restore the position and the older pages, but new statuses are at the top.
      forgetPlace();
      scrollTo(0, 0);
      location.reload();
    });
    document.querySelector('.updates').append(button);
  }
  // Setting unchanged text would make screen readers announce it after every check.
  if (button.textContent !== text) button.textContent = text;
}

// Ids are numbers that exceed the precision of a Number.
const isNewer = (id) => id.length > newest.length || (id.length === newest.length && id > newest);

function add(id) {
  if (isNewer(id) && fresh.size < LIMIT) fresh.add(id);
  show();
}

function remove(id) {
  gone.add(id);
  if (fresh.delete(id)) show();
}

async function check() {
  const known = [...fresh];
  asked += 1;
  const turn = asked;
  try {
    const query = new URLSearchParams({ limit: LIMIT, since_id: newest });
    const signal = AbortSignal.timeout(PERIOD / 2);
    const response = await fetch(`${API}timelines/${timeline}?${query}`, { cache: 'no-store', signal });
    if (!response.ok) return;
    const found = new Set((await response.json()).map((status) => status.id));
    // A later check knows more.
    if (turn < asked) return;
    // What has arrived as an event meanwhile may be missing on the page.
    for (const id of known) if (!found.has(id)) fresh.delete(id);
    for (const id of found) if (!gone.has(id)) fresh.add(id);
    show();
  } catch {
    // Another check follows when the stream is open again.
  }
}

const reactions = { update: add, delete: remove, check };

// Reads the stream until it is aborted, and passes what happens to `send`. The browser resumes a lost connection. Where
// there is no stream, the page is checked from time to time.
function follow(signal, send) {
  let wait = PERIOD;
  let source, timer;

  function open() {
    source = new EventSource(API + stream());
    // What has come before the connection may not be in the stream.
    source.addEventListener('open', () => {
      wait = PERIOD;
      send('check');
    });
    source.addEventListener('update', (event) => send('update', JSON.parse(event.data).id));
    source.addEventListener('delete', (event) => send('delete', event.data));
    source.addEventListener('resync', () => send('check'));
    source.addEventListener('error', () => {
      if (source.readyState !== EventSource.CLOSED) return;
      send('check');
      timer = setTimeout(open, wait);
      wait = Math.min(wait * 2, 16 * PERIOD);
    });
  }

  signal.addEventListener('abort', () => {
    clearTimeout(timer);
    source.close();
  });
  open();
}

// One visible tab holds the lock and reads the stream for all; the next one takes over when it is hidden.
function share(signal) {
  const name = `live ${timeline}`;
  const channel = new BroadcastChannel(name);
  channel.addEventListener('message', ({ data }) => reactions[data.kind]?.(data.id));
  signal.addEventListener('abort', () => channel.close());
  const send = (kind, id) => {
    reactions[kind](id);
    channel.postMessage({ kind, id });
  };
  const lead = () => new Promise((end) => {
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
    else follow(signal, send);
  });
  navigator.locks.request(name, { signal }, lead).catch(() => { if (!signal.aborted) follow(signal, send); });
}

let reading;

function stop() {
  reading?.abort();
  reading = undefined;
}

// A hidden tab neither reads the stream nor polls. When it becomes visible, it checks what it has missed.
function start() {
  stop();
  if (document.hidden) return;
  reading = new AbortController();
  try {
    share(reading.signal);
    check();
  } catch {
    // Locks exist only in secure contexts, and where the browser may store something.
    follow(reading.signal, (kind, id) => reactions[kind](id));
  }
}

export function followTimeline() {
  if (!timeline || !newest) return;
  document.addEventListener('visibilitychange', start);
  // Browsers do not keep a page with an open stream for the back button.
  addEventListener('pagehide', stop);
  addEventListener('pageshow', (event) => { if (event.persisted) start(); });
  start();
}
