// Starts the app at the first sign of a person, so that the page paints and rests without it.
const { files, needed, ahead, starts } = document.currentScript.dataset
const isStyle = (file) => file.endsWith('.css')
const [styles, scripts] = [true, false].map((kind) =>
  files.split(' ').filter((file) => isStyle(file) === kind),
)
const [own, later] = [needed, ahead].map((names) => names.split(' ').filter(Boolean))
const signs = ['pointermove', 'pointerdown', 'touchstart', 'wheel', 'scroll', 'keydown', 'focusin']
let isStarted = false

/** Resolves when the file is there, or failed. */
function addToHead(kind, properties) {
  const element = document.createElement(kind)
  return new Promise((resolve) => {
    Object.assign(element, { onload: resolve, onerror: resolve, ...properties })
    document.head.append(element)
  })
}

const addScript = (src) => addToHead('script', { type: 'module', src, crossOrigin: '' })
const addStyle = (href) => addToHead('link', { rel: 'stylesheet', href, crossOrigin: '' })
const announceScript = (href) => addToHead('link', { rel: 'modulepreload', href, crossOrigin: '' })
const isScript = (file) => file.endsWith('.js')
const fetchAhead = (href) =>
  addToHead('link', {
    rel: 'prefetch',
    href,
    // A picture is fetched without, and would be fetched twice.
    ...(isScript(href) ? { crossOrigin: '' } : {}),
  })

async function startApp() {
  if (isStarted) return
  isStarted = true
  for (const sign of signs) removeEventListener(sign, noteSign)
  for (const script of [...scripts, ...own]) announceScript(script)
  // The app measures its parts, so its style comes first.
  await Promise.all(styles.map(addStyle))
  scripts.forEach(addScript)
}

/** Browsers report a pointer that rests over a new page as moved by nothing. */
function noteSign({ type, movementX, movementY }) {
  const isRest = type === 'pointermove' && movementX === 0 && movementY === 0
  if (!isRest) startApp()
}

/**
 * Fetches the files without running them, so that the first touch finds them in the cache. The app
 * comes first. One by one while the browser is idle: together they would delay the page.
 */
async function fetchAllAhead() {
  if (navigator.connection?.saveData) return
  for (const file of [...styles, ...scripts, ...own, ...later]) {
    await new Promise((resolve) => idle(resolve))
    if (isStarted) return
    await fetchAhead(file)
  }
}

/** The app repeats this press as soon as it has the form. */
function notePress({ target }) {
  const button = target.closest?.('#start[data-view="form"] button')
  if (!button || (button.type === 'submit' && !button.form.checkValidity())) return
  document.getElementById('start').dataset.pressed = button.textContent
  button.setAttribute('aria-busy', 'true')
}

/** Visits of partners, waiting applications and chosen ids are notes of this browser. */
function hasNotes() {
  try {
    return sessionStorage.length > 0 || localStorage.length > 0
  } catch {
    return false
  }
}

/** The app waits for a word that an input method still writes. */
function noteComposition({ type, target }) {
  const view = target.closest?.('#start')
  if (type === 'compositionstart') view?.setAttribute('data-composing', '')
  else view?.removeAttribute('data-composing')
}

addEventListener('click', notePress)
for (const event of ['compositionstart', 'compositionend']) addEventListener(event, noteComposition)
// Without this script they open the page of an id. The app searches instead.
document.querySelector('#start [role="search"]')?.setAttribute('action', '/')
for (const link of document.querySelectorAll('#start .tiles a')) link.pathname = '/'
const isCalled = starts === 'now' || location.hash !== '' || hasNotes()
if (isCalled || document.activeElement !== document.body) startApp()
for (const sign of signs) addEventListener(sign, noteSign, { passive: true })
const idle = globalThis.requestIdleCallback ?? ((action) => setTimeout(action, 200))
addEventListener('load', fetchAllAhead)
