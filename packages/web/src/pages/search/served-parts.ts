import { findServedView, onTakeOver, readSelection } from '../../design/served-view.ts'

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

/** Puts a part into its place. A part of the open page moves when the app becomes visible. */
export function placePart(name: PartName, place: HTMLElement): () => void {
  const own = start?.querySelector<HTMLElement>(`[data-part="${name}"]`)
  if (own && findServedView()) return onTakeOver(() => movePart(name, own, place))
  void loadPart(name).then((part) => part && place.append(part))
  return () => {}
}

/** Measures before anything moves. */
function movePart(name: PartName, part: HTMLElement, place: HTMLElement): () => void {
  const { top } = part.getBoundingClientRect()
  const isUsed = part.contains(document.activeElement) || part.querySelector('button:active')
  const isSeen = isUsed || top <= window.innerHeight / 2
  return () => {
    place.append(part)
    if (name === 'landing' && isSeen) keepInView(part, top)
  }
}

/**
 * Keeps a part where a person saw it until the person scrolls: the lists above arrive later, and
 * browsers do not always anchor the view.
 */
function keepInView(part: HTMLElement, top: number): void {
  const readShift = () => part.getBoundingClientRect().top - top
  let ownPosition = window.scrollY
  const adjust = () => {
    window.scrollBy({ top: readShift(), behavior: 'instant' })
    ownPosition = window.scrollY
  }
  const observer = new ResizeObserver(() => (part.isConnected ? adjust() : end()))
  const endIfScrolled = () => {
    // The event of our own scrolling may arrive after the next change of the content.
    const isOwn = Math.abs(window.scrollY - ownPosition) <= 1
    if (!isOwn && Math.abs(readShift()) > 1) end()
  }
  const end = () => {
    observer.disconnect()
    window.removeEventListener('scroll', endIfScrolled)
  }
  adjust()
  observer.observe(document.body)
  window.addEventListener('scroll', endIfScrolled)
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

/** Reads the typed text of the open page, and the selection if its field has the focus. */
export function readServedField(serverView: HTMLElement) {
  const field = serverView.querySelector<HTMLInputElement>('#start-field')
  if (!field) return undefined
  const selection = field === document.activeElement ? readSelection(field) : undefined
  return { text: field.value, selection }
}
