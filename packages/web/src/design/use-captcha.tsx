import { type ReactNode, useState } from 'react'
import { captcha } from '../api/addresses.ts'
import { asProblem, Problem } from '../api/problem.ts'
import { Captcha } from './captcha.tsx'
import { texts } from './texts.ts'

/** What goes into the body of a request. */
type Solved = { g_recaptcha_response?: string }

type Guard = {
  /** Stands in the form; nothing where nobody is asked. */
  field: ReactNode
  /** Does what needs a solution, which is good for one request, whatever comes of it. */
  solved: <Answer>(act: (solution: Solved) => Promise<Answer>) => Promise<Answer>
}

const problem = (error: string) => new Problem(400, { error, code: 'wrong_captcha' })

/** For forms that programs should not send. */
export function useCaptcha(): Guard {
  const [solution, setSolution] = useState('')
  const [round, setRound] = useState(0)
  if (captcha.key === '') return { field: null, solved: (act) => act({}) }
  return {
    field: <Captcha round={round} onSolution={setSolution} />,
    async solved(act) {
      if (solution === '') throw problem(texts.captcha.missing)
      try {
        return await act({ g_recaptcha_response: solution })
      } catch (thrown) {
        throw asProblem(thrown).code === 'wrong_captcha' ? problem(texts.captcha.refused) : thrown
      } finally {
        setSolution('')
        setRound(round + 1)
      }
    },
  }
}
