/** Moves the focus to the start of the content, after the section navigation. */
export function focusContent(): void {
  const place = document.getElementById('section') ?? document.getElementById('content')
  place?.focus({ preventScroll: true })
}
