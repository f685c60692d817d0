import { spokenNames } from '../../../features/directory/pictures/index.ts'
import { type Html, html } from '../../../platform/http/html.ts'
import { qrCode } from './qr.ts'
import type { WayToPay } from './ways-to-pay.ts'

/** Owners may list hundreds of tokens; further ones are shown without a code. */
const codesAtMost = 24

/** Every way to pay, one open at a time; it works without scripts. */
export const paySheet = (ways: readonly WayToPay[], display: string): Html =>
  html`<section class="pay" aria-labelledby="pay">
<h2 id="pay">Pay <span class="sr">${spokenNames(display)}</span></h2>
${ways.map((way, nth) => wayToPay(way, nth))}
</section>`

function wayToPay(way: WayToPay, nth: number): Html {
  const { name, ticker, label, address, uri, strength } = way
  const called = / address$/.test(name) ? name : `${name} address`
  const id = `address-${nth + 1}`
  const isShown = strength !== 'wrong' && nth < codesAtMost
  return html`<details class="way" name="way"${nth === 0 ? ' open' : ''}>
<summary><span class="ticker" aria-hidden="true">${ticker.slice(0, 5)}</span>
<span class="currency"><strong>${name}</strong>${note(way)}</span>
${label ? html`<span class="label" dir="auto">${label}</span>` : ''}</summary>
<div class="sheet">
${isShown ? qrCode(uri ?? address, `QR code: ${called}`) : ''}
<div class="to">
<h3>${called}</h3>
<code class="address" id="${id}" dir="ltr">${inGroups(address)}</code>
${verdict(way)}
${severalNetworks(way)}
<p class="actions">
<button type="button" data-copies="${id}" hidden>Copy<span class="sr"> the ${called}</span></button>
${uri ? html`<a class="button" href="${uri}">Open in wallet<span class="sr"> (${name})</span></a>` : ''}
<span role="status"></span>
</p>
</div>
</div>
</details>`
}

const note = ({ name, ticker, networks }: WayToPay): Html | string => {
  const [network, ...more] = networks
  const parts = [
    ...(ticker !== '' && ticker !== name ? [ticker] : []),
    ...(network !== undefined && more.length === 0 ? [`on ${network}`] : []),
  ]
  return parts.length > 0 ? html` <small>${parts.join(' ')}</small>` : ''
}

/** Easier to compare; copied it is one piece again, since nothing stands between the groups. */
const inGroups = (address: string): Html[] =>
  [...address]
    .reduce<string[]>((groups, character, nth) => {
      if (nth % 4 === 0) groups.push('')
      groups[groups.length - 1] += character
      return groups
    }, [])
    .map((group) => html`<span>${group}</span>`)

const verdicts: Readonly<Record<WayToPay['strength'], [look: string, text: string]>> = {
  checksum: ['good', 'Its checksum is right: a mistyped character would show.'],
  format: ['fair', 'Its form is right. Addresses of this kind have no checksum: compare it.'],
  none: ['fair', 'We cannot check addresses of this currency: compare it before you pay.'],
  wrong: ['wrong', 'This does not look like an address of this currency. Ask before you pay.'],
}

const verdict = ({ strength }: WayToPay): Html => {
  const [look, text] = verdicts[strength]
  return html`<p class="verdict ${look}">${text}</p>`
}

const severalNetworks = ({ networks, ticker }: WayToPay): Html | string =>
  networks.length > 1
    ? html`<p class="verdict fair">${ticker} is paid on several networks: ${networks.join(', ')}. Ask which one before you pay.</p>`
    : ''
