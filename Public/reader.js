// Progressive enhancement of the web reader: relative times, placeholders, keyboard navigation and a notice about new
// statuses. The pages are complete without it.
(() => {
  'use strict';

  const MINUTE = 60_000;
  const PERIOD = 30_000;
  const LIMIT = 40;
  const words = new Intl.RelativeTimeFormat(document.documentElement.lang || 'en', { numeric: 'auto' });
  const statuses = [...document.querySelectorAll('.status')];

  // --- Relative times ---

  // Returns [short text, spoken text], or null if the absolute date is more useful.
  function distance(ms) {
    const minutes = Math.floor(ms / MINUTE);
    const hours = Math.floor(minutes / 60);
    const days = Math.floor(hours / 24);
    // A time slightly in the future is shown as "now", because the client's clock may be slow.
    if (minutes < -5 || days >= 7 || Number.isNaN(days)) return null;
    if (minutes < 1) return ['now', words.format(0, 'second')];
    if (hours < 1) return [`${minutes}m`, words.format(-minutes, 'minute')];
    if (days < 1) return [`${hours}h`, words.format(-hours, 'hour')];
    return [`${days}d`, words.format(-days, 'day')];
  }

  function showTimes() {
    for (const time of document.querySelectorAll('time[data-relative]')) {
      const near = distance(Date.now() - Date.parse(time.dateTime));
      // Older statuses only show the date; the title contains the time of day.
      time.textContent = near ? near[0] : time.title.replace(/,\s*\d?\d:\d\d.*$/, '');
      // Screen readers read "5m" as five meters.
      if (near) time.setAttribute('aria-label', near[1]);
      else time.removeAttribute('aria-label');
    }
  }

  showTimes();
  setInterval(showTimes, MINUTE);

  // --- A conversation opens at its status, unless the browser restores an earlier position ---

  const [visit] = performance.getEntriesByType('navigation');
  if (!location.hash && visit?.type === 'navigate') {
    document.querySelector('.status-focus:not(:first-child)')?.scrollIntoView();
  }

  // --- Placeholders: the average color would show through the transparent parts of a loaded picture ---

  for (const image of document.querySelectorAll('.picture img')) {
    const clear = () => image.parentElement.querySelector('.picture-color')?.remove();
    if (image.complete && image.naturalWidth > 0) clear();
    else image.addEventListener('load', clear);
  }

  // --- Keyboard: j and k move between statuses, o or Enter opens one ---

  // Focusable by script only, so that the Tab key moves from link to link.
  for (const status of statuses) status.tabIndex = -1;

  function step(by, current) {
    const bar = document.querySelector('.site-header').offsetHeight;
    // Without a current status, start at the first one that the header does not cover.
    const next = current
      ? statuses[statuses.indexOf(current) + by]
      : statuses.find((status) => status.getBoundingClientRect().bottom > bar + 8);
    if (!next) return;
    next.focus({ preventScroll: true });
    const box = next.getBoundingClientRect();
    if (box.top < bar || box.bottom > innerHeight) next.scrollIntoView({ block: 'start' });
  }

  addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const current = document.activeElement?.closest('.status');
    if (event.key === 'j') step(1, current);
    else if (event.key === 'k') step(-1, current);
    // Enter on a link or a content warning inside a status keeps its default action.
    else if (current && (event.key === 'o' || (event.key === 'Enter' && event.target === current))) {
      location.assign(current.querySelector('a[rel~="bookmark"]').href);
    }
  });

  // --- New statuses: only counted, not inserted, so that the text being read does not move ---

  const newest = statuses[0]?.dataset.id;
  if (document.body.dataset.live !== 'public' || !newest) return;

  const STREAM = '/api/v1/streaming/public';
  const fresh = new Set();
  let button;

  function show() {
    if (fresh.size === 0) {
      button?.remove();
      button = undefined;
      return;
    }
    const text = fresh.size < LIMIT ? `${fresh.size} new` : `${LIMIT}+ new`;
    if (!button) {
      button = document.createElement('button');
      button.type = 'button';
      button.addEventListener('click', () => {
        // A reload would restore the scroll position, but new statuses are at the top.
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
    if (fresh.delete(id)) show();
  }

  async function check() {
    const known = [...fresh];
    try {
      const query = new URLSearchParams({ limit: LIMIT, since_id: newest });
      const signal = AbortSignal.timeout(PERIOD / 2);
      const response = await fetch(`/api/v1/timelines/public?${query}`, { cache: 'no-store', signal });
      if (!response.ok) return;
      const found = new Set((await response.json()).map((status) => status.id));
      // What has arrived as an event meanwhile may be missing on the page.
      for (const id of known) if (!found.has(id)) fresh.delete(id);
      for (const id of found) fresh.add(id);
      show();
    } catch {
      // Another check follows when the stream is open again.
    }
  }

  const reactions = { update: add, delete: remove, check };

  // Reads the stream until it is aborted, and passes what happens to `send`. A connection that is merely lost is resumed
  // by the browser. Where there is no stream, or no more than the server permits, the page is checked from time to time.
  function follow(signal, send) {
    let wait = PERIOD;
    let source, timer;

    function open() {
      source = new EventSource(STREAM);
      // The statuses since the page was made, or since the last connection, may not be in the stream.
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

  // One of the visible tabs holds the lock and reads the stream for all; the next one takes over when it is hidden.
  function share(signal) {
    const channel = new BroadcastChannel('live');
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
    navigator.locks.request('live', { signal }, lead).catch(() => {});
  }

  let reading;

  // A hidden tab neither reads the stream nor polls. When it becomes visible, it checks what it has missed.
  function start() {
    reading?.abort();
    if (document.hidden) return;
    reading = new AbortController();
    // Locks exist only in secure contexts: over HTTPS, and on this machine.
    if (navigator.locks) {
      check();
      share(reading.signal);
    } else {
      follow(reading.signal, (kind, id) => reactions[kind](id));
    }
  }

  document.addEventListener('visibilitychange', start);
  start();
})();
