// The colours that a visitor has chosen, before the page is painted. Those of members come with the page.
(() => {
  'use strict';
  try {
    const theme = localStorage.getItem('theme');
    if (theme === 'light' || theme === 'dark') document.documentElement.classList.add(`theme-${theme}`);
  } catch {
    // Storage is forbidden: the browser decides.
  }
})();
