/** Begins at the beginning, also for who does not see it: behind the names of sections, if there are such. */
export function focusContent(): void {
  const place = document.getElementById('section') ?? document.getElementById('content')
  place?.focus({ preventScroll: true })
}
