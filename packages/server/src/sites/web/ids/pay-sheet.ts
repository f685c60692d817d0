import { spokenNames } from '@emojid/core'
import { type Html, html } from '../../../platform/http/pages/html.ts'
import { takeTurn } from '../../../platform/turns.ts'
import { qrCode } from './qr.ts'
import { texts } from './texts.ts'
import type { WayToPay } from './ways-to-pay.ts'

/** Owners may list hundreds of tokens; the rest is shown without a QR code. */
const codesAtMost = 24

/** Every way to pay, one open at a time, without scripts. */
export async function paySheet(ways: readonly WayToPay[], display: string): Promise<Html> {
  const shownWays: Html[] = []
  for (const [nth, way] of ways.entries()) {
    shownWays.push(wayToPay(way, nth))
    await takeTurn()
  }
  return html`<section class="pay" aria-labelledby="pay">
<h2 id="pay">${texts().pay(html`<span class="sr">${spokenNames(display)}</span>`)}</h2>
${shownWays}
</section>`
}

function wayToPay(way: WayToPay, nth: number): Html {
  const { name, ticker, label, address, uri, strength } = way
  const { addressOf, copy, openInWallet, qrCode: qrLabel } = texts()
  const called = addressOf(name)
  const id = `address-${nth + 1}`
  const isShown = strength !== 'wrong' && nth < codesAtMost
  return html`<details class="way" name="way"${nth === 0 ? ' open' : ''}>
<summary><span class="ticker" aria-hidden="true">${ticker.slice(0, 5)}</span>
<span class="currency"><strong>${name}</strong>${note(way)}</span>
${label ? html`<span class="label" dir="auto">${label}</span>` : ''}</summary>
<div class="sheet">
${isShown ? qrCode(uri ?? address, qrLabel(called)) : ''}
<div class="to">
<h3>${called}</h3>
<code class="address" id="${id}" dir="ltr">${inGroups(address)}</code>
${verdict(way)}
${severalNetworks(way)}
<p class="actions">
<button type="button" data-copies="${id}" hidden>${copy.label}<span class="sr">${copy.what(called)}</span></button>
${uri ? html`<a class="button" href="${uri}">${openInWallet.label}<span class="sr">${openInWallet.what(name)}</span></a>` : ''}
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
    ...(network !== undefined && more.length === 0 ? [texts().onNetwork(network)] : []),
  ]
  return parts.length > 0 ? html` <small>${parts.join(' ')}</small>` : ''
}

/** Groups are easier to compare. No text stands between them, so a copied address is whole. */
const inGroups = (address: string): Html[] =>
  [...address]
    .reduce<string[]>((groups, character, nth) => {
      if (nth % 4 === 0) groups.push('')
      groups[groups.length - 1] += character
      return groups
    }, [])
    .map((group) => html`<span>${group}</span>`)

const looks: Readonly<Record<WayToPay['strength'], string>> = {
  checksum: 'good',
  format: 'fair',
  none: 'fair',
  wrong: 'wrong',
}

const verdict = ({ strength }: WayToPay): Html =>
  html`<p class="verdict ${looks[strength]}">${texts().verdicts[strength]}</p>`

const severalNetworks = ({ networks, ticker }: WayToPay): Html | string =>
  networks.length > 1
    ? html`<p class="verdict fair">${texts().severalNetworks(ticker, networks)}</p>`
    : ''
