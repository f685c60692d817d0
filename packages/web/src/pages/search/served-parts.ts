/** The parts of the start page that the server writes. No script repeats their texts. */
type PartName = 'hero' | 'examples' | 'landing'

const partsIn = (place: ParentNode): Record<PartName, HTMLElement> | undefined => {
  const [hero, examples, landing] = (['hero', 'examples', 'landing'] as const).map((name) =>
    place.querySelector<HTMLElement>(`[data-part="${name}"]`),
  )
  return hero && examples && landing ? { hero, examples, landing } : undefined
}

const start = document.getElementById('start')
const ownParts = start ? partsIn(start) : undefined
// The sign-in page is written by the server too, but has none of these parts.
let parts = ownParts ? Promise.resolve<typeof ownParts | undefined>(ownParts) : undefined
keepStyle(start)

function keepStyle(place: ParentNode | null): void {
  const style = place?.querySelector('[data-part="style"]')
  if (style) document.head.append(style)
}

async function fetchParts(): Promise<Record<PartName, HTMLElement> | undefined> {
  const answer = await fetch('/')
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
  keepStyle(page)
  return partsIn(page)
}

/** Also for people who come from another page of the app. A failed request is repeated at the next visit. */
function loadPart(name: PartName): Promise<HTMLElement | undefined> {
  parts ??= fetchParts().catch(() => {
    parts = undefined
    return undefined
  })
  return parts.then((all) => all?.[name])
}

/** Continues what a person does in a part that moved. The app is hidden while it moves. */
let resumeUse = () => {}

function noteUse(part: HTMLElement): void {
  const focused = [...part.querySelectorAll('input')].find((one) => one === document.activeElement)
  const pressed = part.querySelector<HTMLElement>('button:active')
  const { top } = part.getBoundingClientRect()
  if (!focused && !pressed && top > window.innerHeight / 2) return
  const [from, to] = [focused?.selectionStart ?? 0, focused?.selectionEnd ?? 0]
  resumeUse = () => {
    window.scrollBy({ top: part.getBoundingClientRect().top - top, behavior: 'instant' })
    focused?.focus({ preventScroll: true })
    focused?.setSelectionRange(from, to)
    // A browser forgets the press of a button that moves.
    pressed?.click()
  }
}

/** Puts a part into its place. A part of the open page moves without a pause. */
export function placePart(name: PartName, place: HTMLElement): void {
  const own = start?.querySelector<HTMLElement>(`[data-part="${name}"]`)
  if (own) {
    if (name === 'landing') noteUse(own)
    place.append(own)
  } else void loadPart(name).then((part) => part && place.append(part))
}

/** Loads the demonstration when it comes into view. */
export function watchDemo(place: HTMLElement): () => void {
  const observer = new IntersectionObserver(
    (entries) => {
      const section = place.querySelector<HTMLElement>('[data-demo]')
      if (!section || !entries.some(({ isIntersecting }) => isIntersecting)) return
      observer.disconnect()
      const src = section.dataset['demo'] ?? ''
      if (document.querySelector(`script[src="${src}"]`)) return
      document.head.append(Object.assign(document.createElement('script'), { src }))
    },
    { rootMargin: '200px' },
  )
  observer.observe(place)
  return () => observer.disconnect()
}

/** Replaces the page of the server with the app; returns what a person typed meanwhile. */
export function takeOver(): { text: string; hadFocus: boolean } {
  const field = document.querySelector<HTMLInputElement>('#start-field')
  const typedField = { text: field?.value ?? '', hadFocus: field === document.activeElement }
  const isFirst = field !== null
  document.getElementById('start')?.remove()
  const app = document.getElementById('app')
  if (app) app.hidden = false
  resumeUse()
  resumeUse = () => {}
  return isFirst ? typedField : { text: '', hadFocus: false }
}
