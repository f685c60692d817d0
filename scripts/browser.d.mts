// What the tests, which are TypeScript, use of browser.mjs.
export function findChromium(): string | undefined
export function chromiumAdvice(): string
