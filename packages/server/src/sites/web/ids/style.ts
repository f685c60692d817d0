import { Html, html } from '../../../platform/http/pages/html.ts'

/** A link to the start page, on top of a page. */
export const homeLink = (webUrl: string): Html =>
  html`<p class="home"><a href="${webUrl}/">Emoji Id Directory</a></p>`

/** Added to the style of all pages. */
export const idStyle = new Html(`
  main.sheet { max-width: 40rem; }
  .home { margin: 0 0 2rem; font-weight: 700; letter-spacing: -0.01em; } .home a { color: inherit; text-decoration: none; }
  .home a:hover { text-decoration: underline; }
  .sr { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
  .who { text-align: center; margin-bottom: 2rem; } .avatar { display: block; margin: 0 auto 1rem; border-radius: 50%; object-fit: cover; }
  .who .emoji-id { font-size: clamp(2.75rem, 12vw, 4.5rem); justify-content: center; }
  .who h1 { font-size: clamp(1.7rem, 6vw, 2.4rem); margin: 0.75rem 0 0.5rem; overflow-wrap: anywhere; } .who .names { color: var(--soft); font-size: 0.9rem; margin: 0.25rem 0; }
  .who .text { color: var(--soft); font-size: 1.05rem; max-width: 34rem; margin: 0.5rem auto; white-space: pre-line; overflow-wrap: anywhere; }
  .links { list-style: none; padding: 0; margin: 1.25rem 0 0; display: flex; flex-wrap: wrap; justify-content: center; gap: 0.6rem; }
  .links li { max-width: 100%; }
  .links a { display: inline-grid; justify-items: start; min-height: 2.75rem; align-content: center; padding: 0.4rem 1rem; border: 1px solid var(--line); border-radius: 0.9rem;
    background: var(--card); color: inherit; text-decoration: none; font-weight: 600; line-height: 1.3; overflow-wrap: anywhere; text-align: start; height: 100%; }
  .links a:hover { border-color: var(--main); } .links small { font-weight: 400; color: var(--soft); }
  .pay h2 { margin: 0 0 0.75rem; font-size: 1.25rem; letter-spacing: -0.01em; }
  .way { background: var(--card); border: 1px solid var(--hair); border-radius: 1.25rem; margin: 0 0 0.75rem; box-shadow: 0 1px 2px #0000000d; }
  .way[open] { box-shadow: 0 1px 2px #0000000d, 0 1.25rem 2.5rem -1.5rem light-dark(#4a1fb840, #000c); }
  .way summary { display: flex; align-items: center; gap: 0.85rem; padding: 0.8rem 1.1rem; cursor: pointer; list-style: none; border-radius: 1.25rem; min-height: 4rem; }
  .way summary::-webkit-details-marker { display: none; }
  .way summary::after { content: ''; flex: none; width: 0.55rem; height: 0.55rem; border: solid var(--soft); border-width: 0 2px 2px 0; rotate: 45deg; translate: 0 -0.15rem; transition: rotate 150ms; }
  .way[open] summary::after { rotate: 225deg; translate: 0 0.1rem; }
  .ticker { flex: none; display: grid; place-items: center; width: 2.9rem; height: 2.4rem; border-radius: 0.7rem; background: light-dark(#efe8ff, #2c2442); color: var(--main);
    font-size: 0.72rem; font-weight: 750; letter-spacing: 0.02em; }
  .currency { flex: 1 1 auto; min-width: 0; line-height: 1.3; } .currency small { color: var(--soft); font-size: 0.875rem; white-space: nowrap; }
  .label { color: var(--soft); font-size: 0.875rem; overflow-wrap: anywhere; text-align: end; max-width: 40%; }
  .way > .sheet { display: grid; grid-template-columns: auto 1fr; gap: 1.25rem; padding: 0.25rem 1.1rem 1.25rem; align-items: start; }
  .qr { width: 11.5rem; height: 11.5rem; display: block; border-radius: 0.9rem; border: 1px solid var(--hair); }
  .to { min-width: 0; } .to h3 { margin: 0 0 0.3rem; font-size: 0.875rem; color: var(--soft); font-weight: 600; }
  .address { display: block; font-size: 1rem; line-height: 1.7; overflow-wrap: anywhere; user-select: all; -webkit-user-select: all; unicode-bidi: bidi-override;
    background: light-dark(#f7f5fb, #14121b); border: 1px solid var(--hair); border-radius: 0.75rem; padding: 0.55rem 0.75rem; }
  .address span { display: inline-block; padding-right: 0.5ch; } .address span:nth-child(even) { color: var(--main); }
  .verdict { font-size: 0.875rem; margin: 0.6rem 0 0; color: var(--soft); padding-left: 1.35rem; position: relative; line-height: 1.45; }
  .verdict::before { position: absolute; left: 0; font-weight: 800; }
  .good::before { content: '✓' / ''; color: light-dark(#0b6b3a, #7fe0ab); } .fair::before { content: 'i' / ''; left: 0.4rem; color: var(--main); font-style: italic; }
  .verdict.good, .verdict.wrong { background: none; padding: 0 0 0 1.35rem; font-weight: inherit; } .verdict.wrong { color: var(--wrong); font-weight: 600; } .verdict.wrong::before { content: '!' / ''; left: 0.4rem; }
  .actions { display: flex; flex-wrap: wrap; gap: 0.6rem; align-items: center; margin: 1rem 0 0; }
  .actions button, .button { width: auto; min-height: 2.75rem; padding: 0.5rem 1.1rem; }
  .way .button { white-space: nowrap; }
  .button { display: inline-flex; align-items: center; gap: 0.5rem; border-radius: 0.75rem; background: var(--main); color: var(--on-main); font-weight: 650; text-decoration: none; }
  .button:hover { background: var(--main-hover); } .button .emoji-id { font-size: 1.35rem; }
  .wrong .emoji-id { font-size: 1.2em; vertical-align: -0.2em; }
  .actions button:not([hidden]) + .button { background: none; color: inherit; border: 1px solid var(--line); font-weight: 550; }
  .actions button:not([hidden]) + .button:hover { background: light-dark(#0000000a, #ffffff12) !important; }
  [hidden] { display: none !important; }
  .actions [role='status'] { font-size: 0.9rem; font-weight: 600; color: light-dark(#0b6b3a, #7fe0ab); }
  .empty { text-align: center; background: var(--card); border: 1px solid var(--hair); border-radius: 1.25rem; padding: 1.5rem; color: var(--soft); }
  main.sheet > footer { text-align: center; border: 0; }
  .big { margin: 0 0 1rem; } .big .emoji-id { font-size: 3rem; }
  .typed { font-size: 2.2rem; line-height: 1.4; overflow-wrap: anywhere; } .typed .emoji-id { font-size: inherit; vertical-align: middle; }
  mark { background: var(--wrong-ground); color: var(--wrong); border-radius: 0.4rem; padding: 0 0.15em; outline: 2px solid currentColor; margin: 0 0.1em; }
  @media (max-width: 34rem) {
    .way > .sheet { grid-template-columns: 1fr; } .qr { width: min(100%, 15rem); height: auto; aspect-ratio: 1; margin: 0 auto; }
    .actions .button, .actions button { flex: 1 1 auto; justify-content: center; }
  }
`)
