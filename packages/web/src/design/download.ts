/** Saves a text or a picture as a file. */
export function download(text: string | Blob, file: string, type = 'text/plain'): void {
  const url = URL.createObjectURL(new Blob([text], { type }))
  const link = Object.assign(document.createElement('a'), { href: url, download: file })
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 1_000)
}
