import { readFile } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import { showEmojiId } from '../../features/directory/pictures/index.ts'
import { ServiceError } from '../../platform/errors.ts'
import { html, pagePolicy, wholePage } from '../../platform/http/html.ts'

const script = new URL('../../../dist/browser/wallet.js', import.meta.url)

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
  .list button { width: auto; }
  [hidden] { display: none !important; }
  @media (max-width: 30rem) { .pair { grid-template-columns: 1fr; } .list li { grid-template-columns: auto 1fr; } }
</style>`

type WalletOptions = { webUrl: string; apiUrl: string }

/** A wallet as others write it, out of the SDK alone. */
export async function serveWallet(app: FastifyInstance, options: WalletOptions): Promise<void> {
  const { webUrl, apiUrl } = options
  const policy = `${pagePolicy({ scripts: true })}; connect-src 'self' ${new URL(apiUrl).origin}`

  app.get('/wallet', async (_request, reply) => {
    const main = html`<h1>Demo Wallet</h1>
      <p>It pays emoji ids with play money: nothing leaves this machine. Everything it does, it does with the
      SDK. <a href="${webUrl}/dev">Development page</a></p>
      <form id="find" data-api="${apiUrl}">
        <label>To
          <input id="to" required autocomplete="off" autocapitalize="none" spellcheck="false"
            aria-describedby="hint problem"></label>
        <p id="hint">An emoji id such as ${showEmojiId('🔥🐍', '/art')}, or its name: fire.snake</p>
        <p id="typed"></p>
        <p id="problem" class="wrong" role="alert" hidden></p>
        <div class="pair">
          <label>Currency <select id="currency"></select></label>
          <label>Amount <input id="amount" inputmode="decimal" autocomplete="off" value="0.01"></label>
        </div>
        <button>Look up</button>
      </form>
      <div id="found"></div>
      <p id="status" role="status"></p>
      <h2>Address book</h2>
      <p id="no-entries" class="quiet">Nobody is remembered yet.</p>
      <ul id="book" class="list"></ul>
      <h2>Payments</h2>
      <p id="no-payments" class="quiet">Nothing was paid yet.</p>
      <ul id="payments" class="list"></ul>`
    const head = html`${style}<script type="module" src="${webUrl}/dev/wallet.js"></script>`
    return reply
      .header('content-security-policy', policy)
      .type('text/html; charset=utf-8')
      .send(wholePage({ title: 'Demo Wallet', look: 'sheet', main, head }))
  })

  app.get('/wallet.js', async (_request, reply) => {
    const content = await readFile(script).catch(() => undefined)
    if (!content) {
      throw new ServiceError('not_found', 'not_built', 'It is not built yet: npm run build.')
    }
    return reply.type('text/javascript; charset=utf-8').send(content)
  })
}
