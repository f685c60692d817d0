import { flushSync } from 'react-dom'

/** Takes over a part of the page that the server wrote. The returned function runs when the app is visible. */
type TakeOver = (serverView: HTMLElement) => (() => void) | undefined

/** An input method that writes a word commits it after this pause at the latest. */
const compositionPause = 1000

let serverView = document.getElementById('start')
let takeOvers: TakeOver[] = []

/** Runs when the app replaces the page that the server wrote, in the same task. */
export function onTakeOver(run: TakeOver): () => void {
  takeOvers.push(run)
  return () => {
    takeOvers = takeOvers.filter((one) => one !== run)
  }
}

/** The page that the server wrote, as long as people use it. */
export const findServedView = (): HTMLElement | undefined => serverView ?? undefined

/**
 * Replaces the page that the server wrote with the app. Values, focus and selection move in one
 * task: a key between two tasks would go to a field that is already read, or to none.
 */
export function showApp(): void {
  const app = document.getElementById('app')
  if (!serverView || !app) return
  const view = serverView
  if ('composing' in view.dataset) {
    showAppAfterComposition(view)
    return
  }
  serverView = null
  const focus = readFocus(view)
  const press = readPress(view)
  const finishes: ReturnType<TakeOver>[] = []
  flushSync(() => {
    for (const run of takeOvers) finishes.push(run(view))
  })
  takeOvers = []
  view.remove()
  app.hidden = false
  for (const finish of finishes) finish?.()
  focus?.(app)
  press?.(app)
}

/** An input method replaces its word in the field where it started, and would repeat it in another one. */
function showAppAfterComposition(view: HTMLElement): void {
  const events = ['compositionupdate', 'compositionend'] as const
  const end = () => {
    for (const event of events) view.removeEventListener(event, wait)
    delete view.dataset['composing']
    showApp()
  }
  let timer = setTimeout(end, compositionPause)
  const wait = ({ type }: Event) => {
    clearTimeout(timer)
    timer = setTimeout(end, type === 'compositionend' ? 0 : compositionPause)
  }
  for (const event of events) view.addEventListener(event, wait)
}

/** Notes the element with the focus and its selection; returns how to give them to the app. */
function readFocus(view: HTMLElement): ((app: HTMLElement) => void) | undefined {
  const focused = document.activeElement
  if (!(focused instanceof HTMLElement) || !view.contains(focused)) return undefined
  const stops = [...view.querySelectorAll<HTMLElement>('a, button, input')]
  const selection = focused instanceof HTMLInputElement ? readSelection(focused) : undefined
  /** Without a counterpart, Tab continues after the last element that has one. */
  const path = stops.slice(0, stops.indexOf(focused) + 1).toReversed()
  const candidates = path.map((stop) => [stop, findCounterpart(stop, view)] as const)
  return (app) => {
    for (const [stop, find] of candidates) {
      if (document.activeElement !== document.body) return
      const target = app.contains(stop) ? stop : find(app)
      target?.focus({ preventScroll: true })
      if (stop === focused && target instanceof HTMLInputElement && selection)
        selectText(target, selection)
    }
  }
}

/** A browser forgets the press of a button that moves or leaves. */
function readPress(view: HTMLElement): ((app: HTMLElement) => void) | undefined {
  const { pressed } = view.dataset
  const buttons = [...view.querySelectorAll('button')]
  const button =
    buttons.find((one) => one.matches(':active')) ??
    buttons.find(({ textContent }) => textContent === pressed)
  if (!button) return undefined
  const find = findCounterpart(button, view)
  return (app) => (app.contains(button) ? button : find(app))?.click()
}

/** Finds the field of the same name, or the link or button of the same text. */
function findCounterpart(element: HTMLElement, view: HTMLElement) {
  const textOf = ({ textContent }: Element) => textContent?.trim()
  const listAlike = (place: HTMLElement) =>
    element instanceof HTMLInputElement
      ? [...place.querySelectorAll<HTMLElement>(`input[name="${element.name}"]`)]
      : [...place.querySelectorAll<HTMLElement>(element.tagName)].filter(
          (one) => textOf(one) === textOf(element),
        )
  const position = listAlike(view).indexOf(element)
  return (app: HTMLElement): HTMLElement | undefined => {
    const alike = listAlike(app)
    return alike[position] ?? alike.at(-1)
  }
}

export type TextSelection = { from: number; to: number; direction: 'forward' | 'backward' | 'none' }

export const readSelection = (input: HTMLInputElement): TextSelection => ({
  from: input.selectionStart ?? input.value.length,
  to: input.selectionEnd ?? input.value.length,
  direction: input.selectionDirection ?? 'none',
})

/** An input of the type `email` has no selection for scripts, but keeps that of the type `text`. */
export function selectText(input: HTMLInputElement, selection: TextSelection): void {
  const { type } = input
  if (type === 'email') input.type = 'text'
  input.setSelectionRange(selection.from, selection.to, selection.direction)
  input.type = type
}
