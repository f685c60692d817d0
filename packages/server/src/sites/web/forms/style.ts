import { Html } from '../../../platform/http/pages/html.ts'

/** Sizes are those of the app, so that nothing moves when it takes over. */
export const formStyle = new Html(`
  #start { display: flex; flex-direction: column; } #start main { flex: 1; align-content: start; }
  #start footer { border-top: 1px solid var(--hair); padding: 1.5rem 0; }
  #start footer nav { display: flex; flex-wrap: wrap; justify-content: center; gap: 0.5rem 1.5rem; }
  #start footer a { color: var(--soft); min-height: 1.5rem; text-decoration: underline; text-underline-offset: 0.25em; }
  #start .card { display: grid; gap: 1.25rem; width: 100%; max-width: 28rem; margin: 0 auto; } #start .card.wide { max-width: 42rem; }
  #start h1 { font-size: 1.875rem; line-height: 1.2; } #start .title { display: grid; gap: 0.375rem; }
  #start form, #start .column { display: grid; gap: 1rem; align-content: start; }
  #start .field { display: grid; gap: 0.375rem; align-content: start; } #start label { font-weight: 600; }
  #start .field p { font-size: 0.875rem; line-height: 1.25rem; color: var(--soft); }
  #start input { width: 100%; min-height: 2.75rem; border: 1px solid var(--line); border-radius: 0.75rem; padding: 0.5rem 0.75rem; font: inherit; background: var(--card); color: inherit; }
  #start .second { background: none; border: 1px solid var(--line); color: inherit; font-weight: 500; }
  #start [aria-busy] { opacity: 0.6; cursor: progress; }
  #start .link { display: inline-flex; align-items: center; min-height: 2.75rem; font-weight: 500; }
  #start .columns { display: grid; gap: 1.5rem 2rem; } #start .column + .column { border-top: 1px solid var(--hair); padding-top: 1.25rem; }
  #start .other { display: flex; flex-wrap: wrap; align-items: center; gap: 0 0.5rem; border-top: 1px solid var(--hair); padding-top: 0.75rem; }
  @media (min-width: 40rem) { #start h1 { font-size: 2.25rem; line-height: 2.5rem; } #start .columns { grid-template-columns: 1fr 1fr; }
    #start .column + .column { border: 0 solid var(--hair); border-left-width: 1px; padding: 0 0 0 2rem; } }
`)
