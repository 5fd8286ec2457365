// Words and parts of the page that only script shows. They are in templates of the page, and so in its language.

export const language = document.documentElement.lang || 'en';
// The reader's variant of the language of the page, which decides how dates and numbers look; not another script.
export const locale = navigator.languages?.find((each) => each.split('-')[0] === language && isValid(each)) ?? language;

// Some systems name languages in a way of their own.
function isValid(tag) {
  try { return Intl.getCanonicalLocales(tag); } catch { return false; }
}

const template = (name) => document.getElementById(`script-${name}`)?.content;
const words = new Map(
  [...(template('words')?.children ?? [])].map((each) => [each.dataset.word, each.textContent]));
const plurals = new Intl.PluralRules(language);
const numbers = new Intl.NumberFormat(locale);

// A text, with values in place of what is in braces.
export function word(name, values = {}) {
  return (words.get(name) ?? '').replace(/\{(\w+)\}/g, (whole, key) => values[key] ?? whole);
}

// The form of a text for a number.
export function count(name, n, values = {}) {
  const form = `${name}.${plurals.select(n)}`;
  return word(words.has(form) ? form : `${name}.other`, { n: numbers.format(n), ...values });
}

// A copy of a part of the page.
export function part(name) {
  return template(name)?.firstElementChild.cloneNode(true) ?? document.createElement('div');
}
