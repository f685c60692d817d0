import { currentLinks } from '../../request-id.ts'
import { currentLanguage } from './language.ts'
import { listLinks } from './links.ts'
import { texts } from './texts.ts'

/** Text that is already HTML. */
export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

type Part = string | number | Html | readonly Html[]

/** Builds HTML; escapes every value that is not HTML already. */
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
  :root {
    color-scheme: light dark; font: 1rem/1.55 system-ui, sans-serif;
    --ink: light-dark(#1c1b22, #f1eff7); --soft: light-dark(#595566, #b6b1c4);
    --ground: light-dark(#f4f1fa, #131119); --card: light-dark(#fff, #1d1a26);
    --line: light-dark(#8d879c, #777187); --hair: light-dark(#e4dff0, #332e41);
    --main: light-dark(#5b2bd9, #b9a1ff); --on-main: light-dark(#fff, #1b1130);
    --main-hover: light-dark(#4a1fb8, #cdbcff); --wrong: light-dark(#b3122d, #ff9aa8);
    --wrong-ground: light-dark(#fdecef, #3a1620); --good-ground: light-dark(#efe9ff, #2a2143);
  }
  * { box-sizing: border-box; }
  body { margin: 0; min-height: 100vh; background: var(--ground); color: var(--ink); padding: 1.25rem 1rem 3rem;
    background-image: radial-gradient(60rem 30rem at 50% -14rem, light-dark(#d9cbff, #3a2a6b), transparent); background-repeat: no-repeat; }
  main { max-width: 46rem; margin: 0 auto; overflow-wrap: anywhere; }
  main.card { max-width: 27rem; margin: clamp(0rem, 6vh, 4rem) auto 0; background: var(--card); border: 1px solid var(--hair);
    border-radius: 1.25rem; padding: 1.75rem 1.5rem; box-shadow: 0 1px 2px #0000000d, 0 1.5rem 3rem -1.5rem light-dark(#4a1fb840, #000c); }
  h1 { font-size: 1.6rem; line-height: 1.2; letter-spacing: -0.015em; margin: 0 0 1rem; text-wrap: balance; }
  h2 { font-size: 1.05rem; margin: 1.75rem 0 0.25rem; } h3 { font-size: 1rem; margin: 1.25rem 0 0.25rem; }
  p { margin: 0.75rem 0; text-wrap: pretty; } a { color: var(--main); text-underline-offset: 0.2em; }
  code, pre { font: 0.9em/1.5 ui-monospace, monospace; overflow-wrap: anywhere; }
  pre { white-space: pre-wrap; padding: 0.75rem; background: var(--card); border: 1px solid var(--hair); border-radius: 0.75rem; }
  strong { overflow-wrap: anywhere; }
  form { display: grid; gap: 0.75rem; margin: 1.25rem 0; max-width: 27rem; } form > * { margin: 0; }
  form h2 { margin: 0; } form p, footer, .quiet { color: var(--soft); font-size: 0.925rem; }
  main > :last-child, footer > :last-child { margin-bottom: 0; }
  form + form { border-top: 1px solid var(--hair); padding-top: 1.25rem; }
  label { display: grid; gap: 0.3rem; font-weight: 600; font-size: 0.925rem; }
  input, select, textarea, button { font: inherit; padding: 0.65rem 0.85rem; border-radius: 0.75rem; border: 1px solid var(--line); min-height: 2.75rem; width: 100%; }
  textarea { resize: vertical; }
  input, select, textarea { background: light-dark(#fff, #14121b); color: inherit; font-size: 1rem; font-weight: 400; }
  button, .button { cursor: pointer; background: var(--main); color: var(--on-main); border-color: transparent; font-weight: 650; }
  .button { display: block; padding: 0.65rem 0.85rem; border-radius: 0.75rem; text-align: center; text-decoration: none; }
  button:hover, .button:hover { background: var(--main-hover); }
  button.second { background: none; color: inherit; border-color: var(--line); font-weight: 550; }
  button.second:hover { background: light-dark(#0000000a, #ffffff12); }
  button.plain { background: none; color: var(--main); padding: 0; border: 0; width: auto; justify-self: start; min-height: 1.5rem;
    font-weight: inherit; text-decoration: underline; text-underline-offset: 0.2em; }
  [aria-invalid] { border-color: var(--wrong); }
  :focus-visible { outline: 3px solid var(--main); outline-offset: 2px; }
  .wrong, .good { border-radius: 0.75rem; padding: 0.65rem 0.85rem; font-weight: 600; } .good { background: var(--good-ground); }
  .wrong { color: var(--wrong); background: var(--wrong-ground); }
  .application { display: flex; align-items: start; gap: 0.75rem; margin: 0 0 1rem; }
  .application p { margin: 0; min-height: 3rem; align-content: center; }
  .application img, .application > span { border-radius: 0.75rem; flex: none; width: 3rem; height: 3rem; }
  .application > span { display: grid; place-items: center; background: var(--main); color: var(--on-main); font-weight: 700; font-size: 1.3rem; }
  .choices { list-style: none; padding: 0; margin: 1rem 0; display: grid; gap: 0.6rem; }
  .choices a { display: grid; grid-template-columns: 1fr auto; align-items: center; gap: 0.35rem 0.85rem; padding: 0.7rem 0.9rem; border: 1px solid var(--line); border-radius: 1rem;
    color: inherit; text-decoration: none; transition: border-color 120ms, background 120ms; }
  .choices a:hover { border-color: var(--main); background: light-dark(#f7f3ff, #262033); }
  .choices a > :last-child { color: var(--soft); font-size: 0.9rem; line-height: 1.3; }
  .choices a::after { content: '›'; grid-area: 1 / 2 / 3; font-size: 1.6rem; line-height: 1; color: var(--main); }
  .emoji-id { display: inline-flex; flex-wrap: wrap; gap: 0.15em; font-size: 1.9rem; line-height: 1; }
  .emoji { position: relative; width: 1em; height: 1em; overflow: hidden; }
  .emoji img { width: 100%; height: 100%; display: block; } .emoji span { position: absolute; inset: 0; opacity: 0; }
  footer { border-top: 1px solid var(--hair); margin-top: 1.5rem; padding-top: 0.5rem; } footer form { margin: 0.75rem 0; }
  .about { display: flex; flex-wrap: wrap; justify-content: center; gap: 0.5rem 1.5rem; margin: 2rem auto 0; font-size: 0.925rem; }
  .about a { color: var(--soft); min-height: 1.5rem; }
  table { border-collapse: collapse; } th, td { text-align: left; padding: 0.25rem 1rem 0.25rem 0; overflow-wrap: anywhere; }
  @media (prefers-reduced-motion: reduce) { * { transition: none !important; } }
`)

const icon =
  "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 8 8'><rect width='8' height='8' rx='2.5' fill='%235b2bd9'/><circle cx='2.8' cy='3.6' r='.8' fill='%23fff'/><circle cx='5.2' cy='3.6' r='.8' fill='%23fff'/></svg>"

type Look = 'card' | 'sheet'

/** A complete page without scripts; the policy below allows its inline style. */
export function page(title: string, body: Html, look: Look = 'card'): string {
  return wholePage({ title, look, main: html`<h1>${title}</h1>\n${body}` })
}

type PageParts = { title: string; look: Look; main: Html; head?: Html }

/** A page with its own heading, and further elements in its head. */
export function wholePage({ title, look, main, head = new Html('') }: PageParts): string {
  return html`<!doctype html>
<html lang="${currentLanguage()}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="${icon}">
<style>${style}</style>
${head}
</head>
<body>
<main class="${look}">
${main}
</main>
${siteFooter()}</body>
</html>
`.text
}

/** Links to the operator's own pages, as far as they are configured. */
function siteFooter(): Html {
  const configured = currentLinks()
  const links = configured ? listLinks(configured) : []
  if (links.length === 0) return html``
  return html`<nav class="about" aria-label="${texts().linksLabel}">
${links.map(({ label, url }) => html`<a href="${url}">${label}</a>\n`)}</nav>
`
}

type PagePolicy = {
  forms?: readonly string[] | 'anywhere'
  images?: readonly string[]
  /** Our own script files; never inline scripts. */
  scripts?: boolean
  /** Files of this site, as tools that rate a public page read them. */
  reads?: boolean
}

/** Browsers apply form-action to redirects too, so their targets are listed. */
export const pagePolicy = ({ forms = [], images = [], scripts, reads }: PagePolicy = {}): string =>
  `default-src 'none'; ${scripts ? "script-src 'self'; " : ''}${reads ? "connect-src 'self'; " : ''}style-src 'unsafe-inline'; ` +
  `img-src ${["'self'", 'data:', ...images].join(' ')}; ` +
  (forms === 'anywhere' ? '' : `form-action ${["'self'", ...forms].join(' ')}; `) +
  "base-uri 'none'; frame-ancestors 'none'"
