/** The storage of an address book: texts by name. */
export type BookStorage = {
  get(name: string): string | undefined | Promise<string | undefined>
  set(name: string, text: string): void | Promise<void>
  delete(name: string): void | Promise<void>
  names(): readonly string[] | Promise<readonly string[]>
}

/** Lasts as long as this process or page. */
export function memoryStorage(): BookStorage {
  const texts = new Map<string, string>()
  return {
    get: (name) => texts.get(name),
    set: (name, text) => void texts.set(name, text),
    delete: (name) => void texts.delete(name),
    names: () => [...texts.keys()],
  }
}

/** `localStorage` of a browser, beside other data. */
export function webStorage(storage: Storage, prefix = 'emojid/address-book/'): BookStorage {
  return {
    get: (name) => storage.getItem(prefix + name) ?? undefined,
    set: (name, text) => storage.setItem(prefix + name, text),
    delete: (name) => storage.removeItem(prefix + name),
    names: () =>
      Array.from({ length: storage.length }, (_, place) => storage.key(place) ?? '')
        .filter((key) => key.startsWith(prefix))
        .map((key) => key.slice(prefix.length)),
  }
}
