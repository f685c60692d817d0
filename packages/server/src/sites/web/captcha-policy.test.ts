import { expect, it } from 'vitest'
import { captchaPolicy } from './captcha-policy.ts'

it('the Content-Security-Policy allows the origins of reCAPTCHA, or the folder of another captcha script', () => {
  expect(captchaPolicy('https://www.google.com/recaptcha/api.js')).toEqual({
    scripts: ' https://www.google.com/recaptcha/ https://www.gstatic.com/recaptcha/',
    frames: 'frame-src https://www.google.com/recaptcha/ https://recaptcha.google.com/recaptcha/; ',
  })
  expect(captchaPolicy('https://captcha.example.com/v2/api.js')).toEqual({
    scripts: ' https://captcha.example.com/v2/',
    frames: 'frame-src https://captcha.example.com/v2/; ',
  })
})
