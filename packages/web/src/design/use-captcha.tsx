import { type ReactNode, useState } from 'react'
import { captcha } from '../api/addresses.ts'
import { asProblem, Problem } from '../api/problem.ts'
import { Captcha } from './captcha.tsx'
import { texts } from './texts.ts'

/** The member of the request body. */
type CaptchaAnswer = { g_recaptcha_response?: string }

type Guard = {
  /** The captcha for the form; null if it is off. */
  field: ReactNode
  /** Runs a request with a solution. A solution works for one request. */
  solved: <Answer>(act: (solution: CaptchaAnswer) => Promise<Answer>) => Promise<Answer>
}

const problem = (error: string) => new Problem(400, { error, code: 'wrong_captcha' })

/** Protects a form against bots. */
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
      } catch (error) {
        throw asProblem(error).code === 'wrong_captcha' ? problem(texts.captcha.refused) : error
      } finally {
        setSolution('')
        setRound(round + 1)
      }
    },
  }
}
