/** Text that is already HTML. */
export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

type Part = string | number | Html | readonly Html[]

/** Builds HTML; every value is escaped unless it is HTML already. */
export function html(strings: TemplateStringsArray, ...values: Part[]): Html {
  return new Html(
    strings.reduce((text, string, index) => text + show(values[index - 1] ?? '') + string),
  )
}

function show(value: Part): string {
  if (value instanceof Html) return value.text
  if (typeof value === 'object') return value.map((part) => part.text).join('')
  return String(value).replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`)
}

const style = new Html(`
  :root { color-scheme: light dark; font: 1rem/1.6 system-ui, sans-serif; }
  body { margin: 0 auto; max-width: 44rem; padding: 2rem 1rem; }
  code, pre { font: 0.9em/1.5 ui-monospace, monospace; overflow-wrap: anywhere; }
  pre { white-space: pre-wrap; padding: 0.75rem; border: 1px solid color-mix(in srgb, currentColor 25%, transparent); border-radius: 0.5rem; }
  form { display: grid; gap: 0.75rem; max-width: 26rem; margin: 1.25rem 0; }
  label { display: grid; gap: 0.25rem; font-weight: 600; }
  input, button { font: inherit; padding: 0.6rem 0.8rem; border-radius: 0.5rem; border: 1px solid color-mix(in srgb, currentColor 50%, transparent); }
  button { cursor: pointer; background: #1d4ed8; color: #fff; border-color: transparent; font-weight: 600; }
  button.second { background: none; color: inherit; border-color: color-mix(in srgb, currentColor 50%, transparent); }
  .wrong { color: light-dark(#b91c1c, #fca5a5); font-weight: 600; }
  table { border-collapse: collapse; } th, td { text-align: left; padding: 0.25rem 1rem 0.25rem 0; }
`)

/** A whole page without scripts; its style is allowed by hash-free `style-src` of the policy below. */
export function page(title: string, body: Html): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`.text
}

type Allowed = { forms?: readonly string[]; images?: readonly string[] }

/** Browsers hold a form also to where its answer redirects: those places are named. */
export const pagePolicy = ({ forms = [], images = [] }: Allowed = {}): string =>
  "default-src 'none'; style-src 'unsafe-inline'; " +
  `img-src ${["'self'", 'data:', ...images].join(' ')}; ` +
  `form-action ${["'self'", ...forms].join(' ')}; base-uri 'none'; frame-ancestors 'none'`
