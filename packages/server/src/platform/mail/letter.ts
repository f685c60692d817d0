import { html } from '../http/pages/html.ts'
import { listLinks, type SiteLinks } from '../http/pages/links.ts'

type Link = { label: string; url: string }
/** An email before rendering as text and as HTML. Codes and links are in their own members only. */
export type Letter = {
  subject: string
  before: string
  /** The notification about it, if that differs from `before`: it has no code and no link. */
  notice?: string
  /** Items with their prices. */
  lines?: [string, string][]
  link?: Link
  after: string
  /** The unsubscribe link. */
  end?: Link
}

/** The sender, and the operator's own pages below the email. */
type Sender = { from: string; links: SiteLinks }

export function writeLetter(letter: Letter, sender: Sender) {
  const subject = oneLine(letter.subject)
  return { subject, text: asText(letter, sender), html: asHtml({ ...letter, subject }, sender) }
}

function asText({ before, lines, link, after, end }: Letter, { from, links }: Sender): string {
  const list = lines?.map(([name, price]) => `${name}: ${price}`).join('\n')
  const about = listLinks(links).map(({ label, url }) => `${label}: ${url}`)
  const ending = end && `${end.label}:\n${end.url}`
  const parts = [before, list, link?.url, after, ending, `-- \n${[from, ...about].join('\n')}\n`]
  return parts.filter((part) => part !== undefined).join('\n\n')
}

/** Only the button has colours, so that the email reads in light and dark; nothing is loaded. */
function asHtml(
  { subject, before, lines = [], link, after, end }: Letter,
  { from, links }: Sender,
): string {
  const about = listLinks(links).map(({ label, url }) => html` · <a href="${url}">${label}</a>`)
  const rows = lines.map(
    ([name, price]) =>
      html`<tr><td style="padding:4px 24px 4px 0">${name}</td><td style="text-align:right">${price}</td></tr>
`,
  )
  const table =
    lines.length > 0
      ? html`<table>
${rows}</table>
`
      : html``
  const action = link
    ? html`<p><a href="${link.url}" style="display:inline-block;padding:12px 20px;border-radius:8px;background:#1d4ed8;color:#ffffff;font-weight:bold;text-decoration:none">${link.label}</a></p>
<p style="font-size:14px;overflow-wrap:anywhere">Or copy this address into your browser:<br><a href="${link.url}">${link.url}</a></p>
`
    : html``
  const ending = end
    ? html`<p style="font-size:14px"><a href="${end.url}">${end.label}</a></p>
`
    : html``
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${subject}</title>
</head>
<body style="margin:0;padding:24px;font:16px/1.5 system-ui,sans-serif">
<div style="max-width:560px;margin:0 auto">
<h1 style="font-size:20px">${subject}</h1>
<p>${before}</p>
${table}${action}<p>${after}</p>
${ending}<p style="font-size:14px">${from}${about}</p>
</div>
</body>
</html>
`.text
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()
