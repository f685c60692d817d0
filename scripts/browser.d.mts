// Types of browser.mjs for the tests.
export function findChromium(): string | undefined
export function chromiumAdvice(): string
