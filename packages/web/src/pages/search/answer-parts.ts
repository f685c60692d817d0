export { About } from './about.tsx'
export { Actions } from './actions.tsx'
export { ChosenBar } from './chosen-bar.tsx'
export { Verdict } from './verdict.tsx'
