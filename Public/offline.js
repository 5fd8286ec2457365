// The service worker keeps what was read last. A page that it has kept says so.

import { root } from './page.js';
import { fullTime } from './times.js';
import { part } from './words.js';

const PERIOD = 10_000;

export function showOffline() {
  const { saved } = root.dataset;
  if (!saved) return;
  const note = part('offline');
  const time = note.querySelector('time');
  time.dateTime = new Date(Number(saved)).toISOString();
  time.textContent = fullTime(Number(saved));
  document.querySelector('main').prepend(note);
  addEventListener('online', leave);
  setInterval(leave, PERIOD);
}

// A network does not mean that the server can be reached.
async function leave() {
  const response = await fetch('/health', { cache: 'no-store' }).catch(() => null);
  if (response?.ok) location.reload();
}

// It exists only in secure contexts: over HTTPS, and on this machine. Nothing else depends on it.
export function keepPages() {
  navigator.serviceWorker?.register('/sw.js').catch(() => {});
}
