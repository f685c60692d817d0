/** Where Google's own script gets the rest from, and shows what it asks. */
const google = {
  scripts: ['https://www.gstatic.com/recaptcha/'],
  frames: ['https://recaptcha.google.com/recaptcha/'],
}
const others = { scripts: [], frames: [] }

/** What a page may load so that it can show a captcha, and nothing beside it. */
export function captchaPolicy(scriptUrl: string): { scripts: string; frames: string } {
  const folder = new URL('.', scriptUrl).href
  const more = folder === 'https://www.google.com/recaptcha/' ? google : others
  return {
    scripts: ['', folder, ...more.scripts].join(' '),
    frames: `frame-src ${[folder, ...more.frames].join(' ')}; `,
  }
}
