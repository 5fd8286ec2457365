// What the reader adds when scripts run: relative times, keyboard steps and word of new statuses.
// The pages are whole without it.
(() => {
  'use strict';

  const MINUTE = 60_000;
  const PERIOD = 30_000;
  const LIMIT = 40;
  const words = new Intl.RelativeTimeFormat(document.documentElement.lang || 'en', { numeric: 'auto' });
  const statuses = [...document.querySelectorAll('.status')];

  // --- Relative times ---

  // [short text, spoken text]; null when the date itself says more than its distance.
  function distance(ms) {
    const minutes = Math.floor(ms / MINUTE);
    const hours = Math.floor(minutes / 60);
    const days = Math.floor(hours / 24);
    // A clock somewhat behind the server's still gets "now"; anything further ahead keeps its date.
    if (minutes < -5 || days >= 7 || Number.isNaN(days)) return null;
    if (minutes < 1) return ['now', words.format(0, 'second')];
    if (hours < 1) return [`${minutes}m`, words.format(-minutes, 'minute')];
    if (days < 1) return [`${hours}h`, words.format(-hours, 'hour')];
    return [`${days}d`, words.format(-days, 'day')];
  }

  function showTimes() {
    for (const time of document.querySelectorAll('time[data-relative]')) {
      const near = distance(Date.now() - Date.parse(time.dateTime));
      // Far away only the day matters; the title keeps the hour.
      time.textContent = near ? near[0] : time.title.replace(/,\s*\d?\d:\d\d.*$/, '');
      // "5m" read aloud is five metres.
      if (near) time.setAttribute('aria-label', near[1]);
      else time.removeAttribute('aria-label');
    }
  }

  showTimes();
  setInterval(showTimes, MINUTE);

  // --- Keyboard: j and k step through the statuses, o or Enter opens one ---

  // Focusable by script only: the Tab key keeps going from link to link.
  for (const status of statuses) status.tabIndex = -1;

  function step(by, current) {
    const bar = document.querySelector('.site-header').offsetHeight;
    // Without a current status, begin at the first one the header does not hide.
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
    // Enter on a link or a content warning inside a status keeps its own meaning.
    else if (current && (event.key === 'o' || (event.key === 'Enter' && event.target === current))) {
      location.assign(current.querySelector('a[rel~="bookmark"]').href);
    }
  });

  // --- New statuses: counted, never inserted, so the text being read does not move ---

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
        // A reload keeps the scroll position, and what is new is at the top.
        scrollTo(0, 0);
        location.reload();
      });
      document.querySelector('.updates').append(button);
    }
    // Unchanged text is left alone, or screen readers would announce it at every check.
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
      // Whatever failed, asking a server in trouble less often is the kindest thing to do.
      wait = Math.min(wait * 2, 16 * PERIOD);
    }
    schedule();
  }

  // A hidden tab asks nothing; once seen again it asks as soon as the wait has run out.
  function schedule() {
    clearTimeout(timer);
    if (!document.hidden) timer = setTimeout(check, Math.max(0, last + wait - Date.now()));
  }

  document.addEventListener('visibilitychange', schedule);
  schedule();
})();
