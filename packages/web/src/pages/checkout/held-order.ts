const storage = 'held-order'

let orderId = read()

function read(): string | null {
  try {
    return window.sessionStorage.getItem(storage)
  } catch {
    return null
  }
}

/** The id of the held order, so that a reloaded page can report that the hold lapsed. */
export const heldOrder = {
  is: (id: string): boolean => orderId === id,
  keep(id: string): void {
    orderId = id
    try {
      window.sessionStorage.setItem(storage, id)
    } catch {
      // Without storage, it lasts as long as the page.
    }
  },
  /** The buyer released the hold; it did not lapse. */
  forget(): void {
    heldOrder.keep('')
  },
}
