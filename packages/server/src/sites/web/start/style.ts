import { Html } from '../../../platform/http/pages/html.ts'

/**
 * The look of the parts that the server writes, in the page itself: nothing has to be loaded before
 * they paint. The style sheet of the app is in cascade layers, so it does not change them.
 */
export const partStyle = new Html(`
  .served { --ink: light-dark(#1c1b22, #f1eff7); --soft: light-dark(#595566, #b6b1c4); --card: light-dark(#fff, #1d1a26);
    --hair: light-dark(#e4dff0, #332e41); --line: light-dark(#8d879c, #777187); --main: light-dark(#5b2bd9, #b9a1ff); --on-main: light-dark(#fff, #1b1130);
    --tint: light-dark(#f1ebff, #262033); --ground: light-dark(#f4f1fa, #131119); line-height: 1.5; color: var(--ink); font-family: system-ui, sans-serif; }
  .served *, .served *::before { box-sizing: border-box; }
  .served :is(h1, h2, h3, p, ul, ol, dl, dd) { margin: 0; padding: 0; } .served :is(ul, ol) { list-style: none; }
  .served h1 { font-size: 1.875rem; line-height: 1.2; font-weight: 700; letter-spacing: -0.025em; text-wrap: balance; max-width: 48rem; }
  .served h2 { font-size: 1.25rem; line-height: 1.4; font-weight: 700; letter-spacing: -0.025em; }
  .served h3 { font-size: 1rem; font-weight: 700; }
  .served .card { background: var(--card); border: 1px solid var(--hair); border-radius: 1.25rem; padding: 1.25rem; box-shadow: 0 1px 3px #0000001a; }
  .served .soft { color: var(--soft); }
  .served .action { display: inline-flex; min-height: 2.75rem; align-items: center; justify-content: center; border: 0; border-radius: 0.75rem; padding: 0.5rem 1.25rem;
    background: var(--main); color: var(--on-main); font: inherit; font-weight: 600; cursor: pointer; text-decoration: none; }
  .served .link { color: var(--main); text-decoration: underline; text-underline-offset: 0.25em; }
  .served .emoji-id { display: inline-flex; gap: 0.1em; line-height: 1; font-size: 2.25rem; vertical-align: middle; }
  .served .emoji { position: relative; display: inline-block; width: 1em; height: 1em; overflow: hidden; }
  .served .emoji img { display: block; width: 100%; height: 100%; max-width: none; } .served .emoji span { position: absolute; inset: 0; opacity: 0; }
  .served :focus-visible { outline: 3px solid var(--main); outline-offset: 2px; }
  .served.hero { position: relative; display: grid; justify-items: center; gap: 0.75rem; padding: 1rem 0; text-align: center; }
  .served.hero .intro { font-size: 1.125rem; max-width: 38rem; text-wrap: balance; color: var(--soft); }
  .served .steps { display: flex; flex-wrap: wrap; justify-content: center; gap: 0.5rem 1.5rem; font-weight: 600; counter-reset: step; }
  .served .steps li { counter-increment: step; display: inline-flex; align-items: center; gap: 0.5rem; }
  .served .steps li::before { content: counter(step) / ''; display: grid; place-items: center; width: 1.5rem; height: 1.5rem; border-radius: 50%;
    background: var(--main); color: var(--on-main); font-size: 0.875rem; }
  .served.examples { display: grid; gap: 0.5rem; }
  .served.examples h2 { font-size: 0.875rem; line-height: 1.25rem; font-weight: 500; letter-spacing: 0; color: var(--soft); }
  .served .tiles { display: flex; flex-wrap: wrap; gap: 0.5rem; } .served .tiles li { flex-grow: 1; max-width: 16rem; }
  .served .tiles a { display: grid; place-content: center; min-height: 4rem; padding: 0.75rem 0.5rem; border-radius: 1rem; color: inherit; text-decoration: none; box-shadow: 0 1px 2px #0000000d; }
  .served .tiles li:nth-child(1) a { background: light-dark(#ffe9d6, #3a2616); } .served .tiles li:nth-child(2) a { background: light-dark(#dcf3ff, #12303f); }
  .served .tiles li:nth-child(3) a { background: light-dark(#ffe1ec, #3d1a2a); } .served .tiles li:nth-child(4) a { background: light-dark(#e2f7e1, #17331d); }
  .served .floating { display: none; }
  .served.landing { display: grid; gap: 1.5rem; content-visibility: auto; contain-intrinsic-size: auto 70rem; }
  .served.landing > .card { display: grid; gap: 0.75rem; align-content: start; }
  .served.landing form { display: flex; flex-wrap: wrap; gap: 0.75rem; align-items: end; }
  .served.landing label { display: grid; gap: 0.25rem; flex: 1 1 14rem; font-weight: 500; font-size: 0.875rem; color: var(--soft); }
  .served.landing input { width: 100%; min-height: 2.75rem; border: 1px solid var(--line); border-radius: 0.75rem; padding: 0.5rem 0.75rem; font: inherit; font-size: 1.25rem;
    background: var(--ground); color: var(--ink); }
  .served .pair { display: grid; gap: 1.5rem; } .served .pair > .card, .served .audiences > div { display: grid; gap: 0.5rem; align-content: start; }
  .served .audiences { display: grid; gap: 1.25rem; } .served .audiences dt { font-weight: 700; } .served .audiences dd { color: var(--soft); }
  .served.landing footer { border-top: 1px solid var(--hair); padding: 1.5rem 0; }
  .served.landing footer nav { display: flex; flex-wrap: wrap; justify-content: center; gap: 0.5rem 1.5rem; }
  .served.landing footer a { color: var(--soft); min-height: 1.5rem; text-decoration: underline; text-underline-offset: 0.25em; }
  @media (min-width: 40rem) {
    .served h1 { font-size: 3.75rem; line-height: 1; } .served.hero { padding: 2rem 0; } .served .card { padding: 1.5rem; }
    .served .pair { grid-template-columns: 1fr 1fr; } .served .audiences { grid-template-columns: 1fr 1fr; }
  }
  @media (min-width: 64rem) {
    .served .floating { display: block; } .served .floating img { position: absolute; }
    .served .floating img:nth-child(1) { left: 0; top: 0; width: 5rem; rotate: -12deg; } .served .floating img:nth-child(2) { left: 6rem; top: 8rem; width: 3.5rem; rotate: 6deg; }
    .served .floating img:nth-child(3) { right: 0; top: 0; width: 5rem; rotate: 12deg; } .served .floating img:nth-child(4) { right: 6rem; top: 8rem; width: 4rem; rotate: -6deg; }
  }
`)

/** The frame around these parts until the app takes their place; its sizes are those of the app. */
export const frameStyle = new Html(`
  :root { color-scheme: light dark; } body { margin: 0; min-height: 100vh; }
  #start { max-width: 64rem; min-height: 100vh; margin: 0 auto; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif; -webkit-font-smoothing: antialiased; }
  body:has(#start) { background: light-dark(#f4f1fa, #131119) radial-gradient(70rem 32rem at 50% -16rem, light-dark(#d9cbff, #3a2a6b), transparent) no-repeat; }
  #start * { box-sizing: border-box; }
  #start .skip { position: absolute; left: -100vw; } #start .skip:focus { left: 1rem; top: 0.5rem; background: var(--card); padding: 0.5rem 1rem; }
  #start > header { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 0 1rem; padding: 1rem 0; }
  #start > header a { display: inline-flex; align-items: center; min-height: 2.75rem; text-decoration: none; color: inherit; font-weight: 700; font-size: 1.125rem; letter-spacing: -0.025em; }
  #start > header nav a { color: var(--main); font-size: 1rem; font-weight: 600; padding: 0 0.5rem; letter-spacing: 0; }
  #start main { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1.5rem; padding-bottom: 4rem; }
`)

/** The search field and the places of the first ids and the picker. */
export const searchStyle = new Html(`
  #start .search { width: 100%; max-width: 48rem; margin: 0 auto; }
  #start .search .line { display: flex; justify-content: space-between; gap: 1rem; padding-bottom: 0.5rem; font-size: 0.875rem; line-height: 1.25rem; font-weight: 500; color: var(--soft); }
  #start .search .box { display: flex; min-height: 5rem; align-items: center; padding: 0.5rem 0.75rem; border: 2px solid var(--line); border-radius: 1rem; background: var(--ground); }
  #start .search .box:has(:focus-visible) { border-color: var(--main); }
  #start .search input { flex: 1; min-width: 10rem; height: 3rem; border: 0; padding: 0 0.25rem; outline: none; background: transparent; color: inherit; font: inherit; font-size: 1.25rem; }
  #start .search input::placeholder { color: var(--soft); opacity: 1; }
  #start .room { display: grid; align-content: center; min-height: 9rem; margin-top: 1rem; }
  #start .search .action { background: var(--main); font-size: 1rem; }
  #start .later .card { display: grid; gap: 1rem; grid-template-rows: auto auto 1fr; min-height: 34rem; } #start .ideas { display: none; }
  #start .note { max-width: 48rem; width: 100%; margin: 0 auto; }
  #start .cells { background: radial-gradient(circle, var(--tint) 1rem, transparent 1.0625rem) 0 0 / 3rem 3rem round; }
  @media (min-width: 40rem) { #start .room { min-height: 7rem; } }
  @media (min-width: 64rem) {
    #start .later { display: grid; align-items: start; gap: 1.5rem; grid-template-columns: minmax(0, 7fr) minmax(0, 5fr); } #start .later .card { min-height: 44rem; }
    #start .later .ideas { display: grid; grid-template-rows: auto 1fr; min-height: 0; }
    #start .blanks { display: grid; grid-template-columns: 1fr 1fr; gap: 0.5rem; } #start .blanks span { height: 5rem; border-radius: 1rem; background: var(--tint); }
  }
`)
