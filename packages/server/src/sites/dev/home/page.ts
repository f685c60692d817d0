import { type Html, html, page } from '../../../platform/http/pages/html.ts'
import type { CapturedMessage } from '../../../platform/mail/captured.ts'
import { toMinuteText } from '../../../platform/time.ts'
import { texts } from './texts.ts'

type Home = {
  webUrl: string
  addresses: readonly (readonly [string, string])[]
  example: string
  messages: readonly CapturedMessage[]
}

const shownMessages = 50

export function homePage({ webUrl, addresses, example, messages }: Home): string {
  const { title, text, tryIt, login, wallet, messages: messageTexts } = texts()
  const rows = addresses.map(
    ([name, url]) =>
      html`<tr><th scope="row">${name}</th><td><a href="${url}">${url}</a></td></tr>`,
  )
  const body = html`<p>${text}</p>
      <table>${rows}</table>
      <h2>${tryIt}</h2>
      <pre>${example}</pre>
      <h2>${login.title}</h2>
      <p>${login.text}
      <a href="${webUrl}/dev/login">${login.action}</a></p>
      <h2>${wallet.title}</h2>
      <p>${wallet.text}
      <a href="${webUrl}/dev/wallet">${wallet.action}</a></p>
      <h2 id="messages">${messageTexts.title}</h2>
      ${showMessages(messages, `${webUrl}/dev/mail.json`)}`
  return page(title, body, 'sheet')
}

function showMessages(messages: readonly CapturedMessage[], jsonUrl: string): Html {
  const { none, text } = texts().messages
  if (messages.length === 0) return html`<p>${none}</p>`
  const newest = messages.slice(-shownMessages).reverse()
  return html`<p>${text(jsonUrl)}</p>
    ${newest.map(showMessage)}`
}

function showMessage({ to, subject, text, at }: CapturedMessage): Html {
  const { sms, to: sentTo } = texts().messages
  return html`<article>
    <h3>${subject || sms}</h3>
    <p>${sentTo(to, html`<time datetime="${at}">${toMinuteText(new Date(at))}</time>`)}</p>
    <pre>${withLinks(text)}</pre>
  </article>`
}

function withLinks(text: string): Html[] {
  const parts = text.split(/(https?:\/\/[^\s<>"]+)/)
  return parts.map((part, n) => (n % 2 === 1 ? html`<a href="${part}">${part}</a>` : html`${part}`))
}
