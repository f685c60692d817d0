// Starts the app at the first sign of a person, so that the page paints and rests without it.
const { files } = document.currentScript.dataset
const signs = ['pointermove', 'pointerdown', 'touchstart', 'wheel', 'scroll', 'keydown', 'focusin']
let isStarted = false

function startApp() {
  if (isStarted) return
  isStarted = true
  for (const sign of signs) removeEventListener(sign, startApp)
  for (const file of files.split(' ')) {
    const isStyle = file.endsWith('.css')
    const element = document.createElement(isStyle ? 'link' : 'script')
    Object.assign(
      element,
      isStyle ? { rel: 'stylesheet', href: file } : { type: 'module', src: file },
    )
    element.crossOrigin = ''
    document.head.append(element)
  }
}

/** Fetches the files without running them, so that the first touch finds them in the cache. */
function fetchAhead() {
  if (isStarted || navigator.connection?.saveData) return
  for (const file of files.split(' ')) {
    const link = document.createElement('link')
    Object.assign(link, { rel: 'prefetch', href: file, crossOrigin: '' })
    document.head.append(link)
  }
}

/** Visits of partners, waiting applications and chosen ids are notes of this browser. */
function hasNotes() {
  try {
    return sessionStorage.length > 0 || localStorage.length > 0
  } catch {
    return false
  }
}

if (location.hash !== '' || hasNotes() || document.activeElement !== document.body) startApp()
for (const sign of signs) addEventListener(sign, startApp, { passive: true })
const idle = globalThis.requestIdleCallback ?? ((action) => setTimeout(action, 200))
addEventListener('load', () => idle(fetchAhead))
