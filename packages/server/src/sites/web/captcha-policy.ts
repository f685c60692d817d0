/** Origins that the reCAPTCHA script loads from and frames. */
const google = {
  scripts: ['https://www.gstatic.com/recaptcha/'],
  frames: ['https://recaptcha.google.com/recaptcha/'],
}
const others = { scripts: [], frames: [] }

/** The CSP sources that a captcha needs. */
export function captchaPolicy(scriptUrl: string): { scripts: string; frames: string } {
  const folder = new URL('.', scriptUrl).href
  const more = folder === 'https://www.google.com/recaptcha/' ? google : others
  return {
    scripts: ['', folder, ...more.scripts].join(' '),
    frames: `frame-src ${[folder, ...more.frames].join(' ')}; `,
  }
}
