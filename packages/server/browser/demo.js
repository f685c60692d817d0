// The demonstration on the start page: shows the pay sheet of an id, as its page has it.
const section = document.querySelector('[data-demo]')
const form = section.querySelector('form')
const sheet = section.querySelector('[data-sheet]')
const shadow = sheet.attachShadow({ mode: 'open' })
let latest = 0

/** Headings stand below that of the section. */
const lowered = { H1: 'h3', H2: 'h3', H3: 'h4' }

function lowerHeadings(part) {
  for (const heading of part.querySelectorAll('h1, h2, h3')) {
    const lower = document.createElement(lowered[heading.tagName])
    lower.append(...heading.childNodes)
    for (const { name, value } of heading.attributes) lower.setAttribute(name, value)
    heading.replaceWith(lower)
  }
}

/** The page of the id, without what the start page has already. */
function partOf(page) {
  const main = page.querySelector('main')
  for (const element of main.querySelectorAll('.home, footer, .who, button')) element.remove()
  lowerHeadings(main)
  const styles = [...page.querySelectorAll('style')].map(({ textContent }) => textContent)
  const style = document.createElement('style')
  style.textContent = styles
    .join('\n')
    .replaceAll(':root', ':host')
    .replaceAll(/\bh3\b/g, 'h4')
    .replaceAll(/\bh[12]\b/g, 'h3')
  return [style, ...main.children]
}

function say(text) {
  const line = document.createElement('p')
  line.textContent = text
  shadow.replaceChildren(line)
}

async function show() {
  const text = form.elements.q.value.trim()
  if (text === '') return
  const turn = ++latest
  say(section.dataset.loading)
  try {
    const answer = await fetch(`/find?q=${encodeURIComponent(text)}`)
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
    if (turn === latest) shadow.replaceChildren(...partOf(page))
  } catch {
    if (turn === latest) say(section.dataset.failed)
  }
}

form.addEventListener('submit', (event) => {
  event.preventDefault()
  show()
})
// Half an id is not worth showing.
const { q: field } = form.elements
if (field !== document.activeElement || field.value === field.defaultValue) show()
