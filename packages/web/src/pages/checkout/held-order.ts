const storage = 'held-order'

let held = read()

function read(): string | null {
  try {
    return window.sessionStorage.getItem(storage)
  } catch {
    return null
  }
}

/** Which order was held for whoever is here: its end is told also to who loads the page anew. */
export const heldOrder = {
  is: (id: string): boolean => held === id,
  keep(id: string): void {
    held = id
    try {
      window.sessionStorage.setItem(storage, id)
    } catch {
      // Without storage it lasts as long as the page.
    }
  },
  /** It was given up, and did not lapse. */
  forget(): void {
    heldOrder.keep('')
  },
}
