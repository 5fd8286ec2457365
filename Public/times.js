// Times in the reader's zone: that of the settings, or else that of the browser; near ones are relative.

import { root } from './page.js';
import { locale } from './words.js';

const MINUTE = 60_000;
const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
const DATE = { year: 'numeric', month: 'short', day: 'numeric' };
const full = format({ ...DATE, hour: '2-digit', minute: '2-digit', timeZoneName: 'short' });
const date = format(DATE);

function format(options) {
  try {
    return new Intl.DateTimeFormat(locale, { ...options, timeZone: root.dataset.zone });
  } catch {
    // The browser does not know the zone.
    return new Intl.DateTimeFormat(locale, options);
  }
}

const short = (n, unit) => new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'narrow' }).format(n);

// Returns [short text, spoken text], or null if the date is more useful.
function distance(ms) {
  const minutes = Math.floor(ms / MINUTE);
  const hours = Math.floor(minutes / 60);
  const days = Math.floor(hours / 24);
  // A time slightly in the future is shown as "now", because the client's clock may be slow.
  if (minutes < -5 || days >= 7) return null;
  const now = relative.format(0, 'second');
  if (minutes < 1) return [now, now];
  if (hours < 1) return [short(minutes, 'minute'), relative.format(-minutes, 'minute')];
  if (days < 1) return [short(hours, 'hour'), relative.format(-hours, 'hour')];
  return [short(days, 'day'), relative.format(-days, 'day')];
}

function show(time) {
  const then = Date.parse(time.dateTime);
  if (Number.isNaN(then)) return;
  const text = full.format(then);
  if (time.title) time.title = text;
  if (!time.hasAttribute('data-relative')) {
    // With a title, the text is a word such as "edited".
    if (!time.title) time.textContent = text;
    return;
  }
  const near = distance(Date.now() - then);
  time.textContent = near ? near[0] : date.format(then);
  // Screen readers read "5m" as five meters.
  if (near) time.setAttribute('aria-label', near[1]);
  else time.removeAttribute('aria-label');
}

export const showTimes = (content) => content.querySelectorAll('time[datetime*="T"]').forEach(show);
export const keepTimes = () => setInterval(() => showTimes(document), MINUTE);
export const fullTime = (time) => full.format(time);
