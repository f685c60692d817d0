import { readFile } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import { showEmojiId } from '../../../features/directory/pictures/pictures.ts'
import { ServiceError } from '../../../platform/errors.ts'
import { type Html, html, pagePolicy, wholePage } from '../../../platform/http/pages/html.ts'
import { texts } from './texts.ts'

const script = new URL('../../../../dist/browser/wallet.js', import.meta.url)

const style = html`<style>
  main { max-width: 34rem; }
  select { font: inherit; padding: 0.65rem 0.85rem; border-radius: 0.75rem; border: 1px solid var(--line);
    min-height: 2.75rem; width: 100%; background: light-dark(#fff, #14121b); color: inherit;
    font-size: 1rem; font-weight: 400; }
  #hint .emoji-id { font-size: 1.2rem; vertical-align: -0.2em; } #typed:empty { display: none; }
  form { max-width: none; } .pair { display: grid; grid-template-columns: 3fr 2fr; gap: 0.75rem; }
  .panel, .list li { background: var(--card); border: 1px solid var(--hair); border-radius: 1.25rem; padding: 1.25rem; }
  .panel { display: grid; gap: 0.75rem; margin: 1.25rem 0; } .panel > * { margin: 0; }
  .panel h2 { display: flex; align-items: center; gap: 0.5rem; font-size: 1.25rem; }
  .panel h2:focus { outline: none; }
  .qr { width: min(13rem, 100%); background: #fff; color: #000; border-radius: 0.75rem; justify-self: center; }
  .keep { border-top: 1px solid var(--hair); padding-top: 0.75rem; display: grid; gap: 0.75rem; }
  .warning { border: 2px solid var(--wrong); background: var(--wrong-ground); }
  .list { list-style: none; padding: 0; display: grid; gap: 0.6rem; }
  .list li { display: grid; grid-template-columns: auto 1fr auto auto; gap: 0.4rem 0.75rem; align-items: center; padding: 0.75rem 1rem; }
  .list code { grid-column: 1 / -1; color: var(--soft); } .list .emoji-id { font-size: 1.5rem; }
  .list button { width: auto; } .list .wrong { grid-column: 1 / -1; margin: 0; }
  [hidden] { display: none !important; }
  @media (max-width: 30rem) { .pair { grid-template-columns: 1fr; } .list li { grid-template-columns: auto 1fr; } }
</style>`

type WalletOptions = { webUrl: string; apiUrl: string }

/** A third-party wallet, built on the SDK alone. */
export async function serveWallet(app: FastifyInstance, options: WalletOptions): Promise<void> {
  const { webUrl, apiUrl } = options
  const policy = `${pagePolicy({ scripts: true })}; connect-src 'self' ${new URL(apiUrl).origin}`

  app.get('/wallet', async (_request, reply) => {
    const head = html`${style}<script type="module" src="${webUrl}/dev/wallet.js"><\/script>`
    return reply
      .header('content-security-policy', policy)
      .type('text/html; charset=utf-8')
      .send(wholePage({ title: texts().title, look: 'sheet', main: mainOf(options), head }))
  })

  app.get('/wallet.js', async (_request, reply) => {
    const content = await readFile(script).catch(() => undefined)
    if (!content) {
      throw new ServiceError(
        'not_found',
        'not_built',
        'The demonstration wallet isn’t built yet. Run npm run build.',
      )
    }
    return reply.type('text/javascript; charset=utf-8').send(content)
  })
}

function mainOf({ webUrl, apiUrl }: WalletOptions): Html {
  const { title, text, to, hint, currency, amount, lookUp } = texts()
  const { book, emptyBook, unwatched, payments, noPayments } = texts()
  return html`<h1>${title}</h1>
      <p>${text(`${webUrl}/dev`)}</p>
      <form id="find" data-api="${apiUrl}">
        <label>${to}
          <input id="to" required autocomplete="off" autocapitalize="none" spellcheck="false"
            aria-describedby="hint problem"></label>
        <p id="hint">${hint(showEmojiId('🔥🐍', '/art'))}</p>
        <p id="typed"></p>
        <p id="problem" class="wrong" role="alert" hidden></p>
        <div class="pair">
          <label>${currency} <select id="currency"></select></label>
          <label>${amount} <input id="amount" inputmode="decimal" autocomplete="off" value="0.01"></label>
        </div>
        <button>${lookUp}</button>
      </form>
      <div id="found"></div>
      <p id="status" role="status"></p>
      <h2>${book}</h2>
      <p id="no-entries" class="quiet">${emptyBook}</p>
      <p id="unwatched" class="wrong" role="status" hidden>${unwatched}</p>
      <ul id="book" class="list"></ul>
      <h2>${payments}</h2>
      <p id="no-payments" class="quiet">${noPayments}</p>
      <ul id="payments" class="list"></ul>`
}
