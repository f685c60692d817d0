import { texts } from '../../texts/en.ts'

export function SignInPage() {
  return <h1>{texts.frame.signIn}</h1>
}
