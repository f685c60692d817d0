/** Whoever leaves a page with work that it alone has. */
export const unsavedTexts = {
  title: 'Leave without saving?',
  text: 'What you changed on this page is not saved yet.',
  stay: 'Stay here',
  leave: 'Leave',
}
