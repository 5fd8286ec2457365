// Progressive enhancement of the pages, which are complete without it.

import { improve } from './compose.js';
import { keepDraft, tidyDrafts } from './drafts.js';
import { listenToKeys, makeFocusable } from './keys.js';
import { followTimeline } from './live.js';
import { keepPages, showOffline } from './offline.js';
import { loadOlder } from './older.js';
import { enhance } from './page.js';
import './reactions.js';
import { addSwitch } from './switch.js';
import { keepTimes, showTimes } from './times.js';
import { sendFiles } from './uploads.js';

// The average color would show through the transparent parts of a loaded picture.
function clearPlaceholders(content) {
  for (const image of content.querySelectorAll('.picture img')) {
    const clear = () => image.parentElement.querySelector('.picture-color')?.remove();
    if (image.complete && image.naturalWidth > 0) clear();
    else image.addEventListener('load', clear);
  }
}

// A conversation opens at its post, unless the browser restores an earlier position.
function showFocus() {
  const [visit] = performance.getEntriesByType('navigation');
  if (!location.hash && visit?.type === 'navigate') {
    document.querySelector('.status-focus:not(:first-child)')?.scrollIntoView();
  }
}

const form = document.querySelector('textarea[name="status"]')?.form;

// One that fails does not keep the others from working.
const steps = [
  () => enhance(showTimes), () => enhance(clearPlaceholders), () => enhance(makeFocusable), keepTimes, showFocus,
  showOffline, addSwitch, listenToKeys, () => tidyDrafts(form), () => form && improve(form),
  () => form && keepDraft(form), sendFiles, followTimeline, loadOlder, keepPages,
];
for (const step of steps) {
  try {
    step();
  } catch (error) {
    reportError(error);
  }
}
