// What a member does with a post, a poll or an account without loading the page: one request, whose effect is shown at
// once and undone if it fails. The forms are those of the page, which work without script.

import { explain, say } from './page.js';
import { count, part } from './words.js';

// The fields of a status that tell the state and the number of a reaction.
const FIELDS = {
  favourite: ['favourited', 'favourites_count'], reblog: ['reblogged', 'reblogs_count'], bookmark: ['bookmarked'],
  pin: ['pinned'],
};
const pending = new Set();

// Sends a form without following where it leads.
async function post(path, body, options = {}) {
  const response = await fetch(path, { method: 'POST', body, ...options });
  if (!response.ok && response.type !== 'opaqueredirect') throw Object.assign(new Error(), { status: response.status });
  return response;
}

// Shows an effect, sends it, and takes it back if the server refuses it. The same again has to wait for the answer.
async function attempt(key, effect, request, undo) {
  if (pending.has(key)) return;
  pending.add(key);
  effect();
  try {
    await request();
  } catch (error) {
    undo();
    say(explain(error.status));
  } finally {
    pending.delete(key);
  }
}

// --- Boost, favourite, bookmark, pin ---

// A post may be on the page several times.
const buttonsOf = (id, verb) => document.querySelectorAll(
  `button[formaction="/statuses/${id}/${verb}"], button[formaction="/statuses/${id}/un${verb}"]`);

function showCount(button, number) {
  const place = button.querySelector('[data-count]');
  if (!place) return;
  place.lastElementChild.textContent = number || '';
  place.hidden = !number;
}

const countOf = (button) => Number(button.querySelector('[data-count]')?.lastElementChild.textContent ?? 0);

function react(button) {
  const [, id, un, verb] = button.getAttribute('formaction').match(/^\/statuses\/(\d+)\/(un)?(\w+)$/);
  const isSet = !un;
  const number = countOf(button);
  const show = (on, shown) => {
    for (const each of buttonsOf(id, verb)) {
      each.setAttribute('aria-pressed', on);
      each.setAttribute('formaction', `/statuses/${id}/${on ? 'un' : ''}${verb}`);
      showCount(each, shown);
    }
  };
  attempt(`${id} ${verb}`, () => show(isSet, Math.max(0, number + (isSet ? 1 : -1))), async () => {
    const answer = await (await post(`/api/v1/statuses/${id}/${un ?? ''}${verb}`)).json();
    // The answer to a boost is the boost, which contains the post.
    const status = answer.id === id ? answer : answer.reblog ?? answer;
    const [state, total] = FIELDS[verb];
    show(status[state] ?? isSet, status[total] ?? 0);
  }, () => show(!isSet, number));
}

// --- Polls ---

function option(poll, index, title) {
  const { votes_count: votes } = poll.options[index];
  const item = part('option');
  const [bar, share] = [item.querySelector('svg'), item.querySelector('.poll-share')];
  const chosen = item.querySelector('.poll-chosen');
  if (poll.own_votes.includes(index)) title.append(' ', chosen);
  else chosen.remove();
  bar.after(title);
  if (votes === null) {
    bar.remove();
    share.remove();
    return item;
  }
  const voters = poll.voters_count ?? poll.votes_count;
  const percent = `${voters > 0 ? Math.min(100, Math.round((votes / voters) * 100)) : 0}%`;
  bar.firstElementChild.setAttribute('width', percent);
  share.prepend(percent);
  share.lastElementChild.textContent = `, ${count('votes', votes)}`;
  return item;
}

function showResult(form, poll) {
  const section = form.closest('.poll');
  const list = document.createElement('ul');
  list.className = 'poll-options';
  list.setAttribute('role', 'list');
  list.tabIndex = -1;
  list.append(...[...form.querySelectorAll('.poll-title')].map((title, index) => option(poll, index, title)));
  const votes = count('votes', poll.votes_count);
  const summary = poll.multiple ? count('voters', poll.voters_count ?? 0, { votes }) : votes;
  const text = section.querySelector('.poll-state').firstChild;
  text.data = text.data.replace(/^[^·]*/, `${summary} `);
  form.replaceWith(list);
  // The focus was on a button that is gone.
  list.focus();
}

function vote(form) {
  const path = `/api/v1${new URL(form.action).pathname}`;
  const body = new URLSearchParams(new FormData(form).getAll('choices').map((choice) => ['choices[]', choice]));
  if (body.size === 0) return;
  const button = form.querySelector('button');
  attempt(path, () => { button.disabled = true; }, async () => {
    showResult(form, await (await post(path, body)).json());
  }, () => { button.disabled = false; });
}

// --- Follow, and what else a button does and takes back ---

function toggle(form) {
  const button = form.querySelector('button');
  const swap = () => {
    const { otherPath, otherLabel } = form.dataset;
    [form.dataset.otherPath, form.dataset.otherLabel] = [form.getAttribute('action'), button.firstChild.data];
    form.setAttribute('action', otherPath);
    button.firstChild.data = otherLabel;
    button.classList.toggle('button-main', /\/follow$/.test(otherPath));
  };
  const body = new URLSearchParams(new FormData(form));
  attempt(form, swap, async () => {
    await post(form.dataset.otherPath, body, { redirect: 'manual' });
    showRelation(form);
  }, swap);
}

// The sentence of a profile that tells whether the reader follows the account.
function showRelation(form) {
  const relation = form.closest('.relation');
  const did = form.dataset.otherPath.match(/\/(un)?follow$/);
  if (!relation || !did) return;
  relation.querySelector('[data-follow-state]')?.remove();
  for (const other of relation.querySelectorAll('form[action$="notify"], form[action$="_boosts"]')) other.remove();
  if (did[1] || !form.dataset.state) return;
  const state = document.createElement('p');
  state.className = 'relation-state';
  state.dataset.followState = '';
  state.textContent = form.dataset.state;
  relation.prepend(state);
}

document.addEventListener('submit', (event) => {
  const form = event.target;
  if (event.defaultPrevented) return;
  if (form.matches('.actions') && event.submitter) react(event.submitter);
  else if (form.matches('.poll form')) vote(form);
  else if (form.matches('[data-other-path]')) toggle(form);
  else return;
  event.preventDefault();
});
