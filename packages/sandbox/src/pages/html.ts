/** Text that is already HTML. */
export type Html = { readonly html: string }

type Part = string | number | Html | readonly Html[] | undefined

/**
 * A piece of a page; escapes every value that is not a piece. A copy of the server's tag: the
 * sandbox imports nothing of ours, because it stands in for independent providers.
 */
export function html(texts: TemplateStringsArray, ...parts: Part[]): Html {
  return { html: texts.map((text, index) => text + renderPart(parts[index])).join('') }
}

function renderPart(part: Part): string {
  if (part === undefined) return ''
  if (typeof part !== 'object') return escaped(String(part))
  return 'html' in part ? part.html : part.map((one) => one.html).join('')
}

const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (sign) => `&#${sign.codePointAt(0)};`)

const style: Html = {
  html: `
  :root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
  body { max-width: 46rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
  header { padding: 0.4rem 0.8rem; border-radius: 0.4rem; background: light-dark(#fef3c7, #533f03); }
  form { display: flex; flex-wrap: wrap; gap: 0.6rem; align-items: end; margin: 1rem 0; }
  label { display: grid; gap: 0.2rem; }
  label.tick { display: flex; gap: 0.5rem; align-items: center; width: 100%; }
  input, select, button { font: inherit; padding: 0.5rem 0.8rem; border: 1px solid #8888; border-radius: 0.4rem; }
  button { cursor: pointer; }
  button.first { background: #1d4ed8; border-color: #1d4ed8; color: #fff; }
  table { border-collapse: collapse; width: 100%; }
  th, td { text-align: left; padding: 0.3rem 0.6rem 0.3rem 0; border-bottom: 1px solid #8884; }
  td { overflow-wrap: anywhere; }
  td form { margin: 0; }
  .wrong { color: light-dark(#b91c1c, #fca5a5); }
`,
}

export const page = (title: string, body: Html): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<header>Payment sandbox. No money moves here. <a href="/">Everything that is open</a></header>
<main>
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`.html

/** Browsers apply form-action to redirects too, so their origins are listed. */
export function policy(targets: readonly (string | null)[]): string {
  const origins = targets.flatMap((url) => (url && URL.canParse(url) ? [new URL(url).origin] : []))
  return (
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'; " +
    `form-action ${["'self'", ...new Set(origins)].join(' ')}`
  )
}

export const rows = (pairs: readonly (readonly [string, string | Html])[]): Html =>
  html`<table>${pairs.map(
    ([name, value]) => html`<tr><th scope="row">${name}</th><td>${value}</td></tr>`,
  )}</table>`

export const choice = (
  label: string,
  name: string,
  options: readonly (readonly [string, string])[],
) =>
  html`<label>${label}<select name="${name}">${options.map(
    ([value, title]) => html`<option value="${value}">${title}</option>`,
  )}</select></label>`

export const button = (action: string, title: string, isFirst = false): Html =>
  html`<button name="action" value="${action}"${isFirst ? html` class="first"` : ''}>${title}</button>`

export const money = (cents: number, currency: string): string =>
  `${(cents / 100).toFixed(2)} ${currency.toUpperCase()}`

export const time = (seconds: number): string =>
  `${new Date(seconds * 1_000).toISOString().replace('T', ' ').slice(0, 19)} UTC`

/** A provider's state as text. */
export const inWords = (state: string): string =>
  state
    .replaceAll('_', ' ')
    .replace(/\B[A-Z]/g, (letter) => ` ${letter}`)
    .toLowerCase()
