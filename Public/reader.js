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

  let wait = PERIOD;
  let last = Date.now();
  let timer, button;

  function offer(count) {
    const text = count < LIMIT ? `${count} new` : `${LIMIT}+ new`;
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

  async function check() {
    last = Date.now();
    try {
      const query = new URLSearchParams({ limit: LIMIT, since_id: newest });
      const signal = AbortSignal.timeout(PERIOD / 2);
      const response = await fetch(`/api/v1/timelines/public?${query}`, { cache: 'no-store', signal });
      if (!response.ok) throw new Error(response.statusText);
      const found = await response.json();
      if (found.length > 0) offer(found.length);
      wait = PERIOD;
    } catch {
      // Back off exponentially after a failure.
      wait = Math.min(wait * 2, 16 * PERIOD);
    }
    schedule();
  }

  // A hidden tab does not poll; when it becomes visible, it polls as soon as the wait has elapsed.
  function schedule() {
    clearTimeout(timer);
    if (!document.hidden) timer = setTimeout(check, Math.max(0, last + wait - Date.now()));
  }

  document.addEventListener('visibilitychange', schedule);
  schedule();
})();
