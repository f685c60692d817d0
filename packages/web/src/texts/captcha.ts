/** What tells people from programs. */
export const captchaTexts = {
  label: 'Show that you are a person',
  loading: 'Getting a short check that you are a person …',
  missing: 'Show that you are a person first: solve the check above the button.',
  refused: 'The check was not accepted: it may have taken too long. Solve it again, and try again.',
  expired: 'The check took too long and has expired. Solve it again.',
  broken: (host: string) =>
    `The check that you are a person could not be loaded. Allow this page to load scripts from ${host}, see whether you are online, and try again.`,
  again: 'Load it again',
}
