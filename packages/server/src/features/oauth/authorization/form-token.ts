import type { Deps } from './deps.ts'
import * as rules from './rules.ts'

export const formToken = ({ formKey }: Deps, browser: string) => rules.formToken(browser, formKey)

export const isFormToken = ({ formKey }: Deps, token: string, browser: string | undefined) =>
  rules.isFormToken(token, browser, formKey)
