import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  type AbuseReports,
  type ReportCategory,
  reportCategories,
} from '../../../features/directory/abuse-reports/abuse-reports.ts'
import type { CaptchaWidget } from '../../../platform/captcha/captcha.ts'
import { ServiceError } from '../../../platform/errors.ts'
import { statusOf } from '../../../platform/http/faults.ts'
import { field, readForms } from '../../../platform/http/pages/forms.ts'
import { pagePolicy } from '../../../platform/http/pages/html.ts'
import { captchaPolicy } from '../captcha-policy.ts'
import { addressOf } from '../ids/address.ts'
import { sendPage } from '../ids/send.ts'
import {
  nothingEntered,
  type ReportedId,
  type ReportInput,
  reportDonePage,
  reportPage,
} from './page.ts'
import { texts } from './texts.ts'

type Options = {
  abuseReports: AbuseReports
  webUrl: string
  captcha: CaptchaWidget | undefined
}

/** 2,000 characters take up to 12 bytes each in a form. */
const bodyLimit = 40 * 1024
/** The form shows no more of a longer text: escaping 40 kB takes 10 ms. */
const shownAtMost = { text: 2_000, email: 254 }
/** Errors that the reporter can correct in the form. */
const mendable = ['invalid', 'limited', 'unavailable'] as const

/** {web_url}/report/{id}: also for ids that redirect, which have no page of their own. */
export async function serveReports(app: FastifyInstance, options: Options): Promise<void> {
  const { abuseReports, webUrl, captcha } = options
  readForms(app, new URL(webUrl).origin)
  const policy = policyFor(captcha)
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('content-security-policy', policy)
  })
  type Params = { Params: { id: string } }

  app.get<Params>('/report/:id', async ({ params }, reply) => {
    const reported = await abuseReports.findReportable(params.id)
    return sendPage(reply, 200, reportPage(options, reported, nothingEntered))
  })

  app.post<Params>('/report/:id', { bodyLimit }, async (request, reply) => {
    const reported = await abuseReports.findReportable(request.params.id)
    const entered = readEntered(request)
    const category = reportCategories.find((one) => one === entered.category)
    const sendForm = (status: number, problem: string) =>
      sendPage(reply, status, reportPage(options, reported, cutTexts(entered), problem))
    if (!category) return sendForm(400, texts().wrongCategory)
    try {
      const isMailed = await file(request, reported, category, entered)
      const address = addressOf(webUrl, reported.emoji_id)
      const hasEmail = entered.email !== ''
      return sendPage(reply, 200, reportDonePage(address, { isMailed, hasEmail }))
    } catch (error) {
      return retry(error, reply, sendForm)
    }
  })

  const file = async (
    request: FastifyRequest,
    { emoji_id }: ReportedId,
    category: ReportCategory,
    { text, email }: ReportInput,
  ): Promise<boolean> => {
    const g_recaptcha_response = field(request.body, 'g-recaptcha-response')
    const { mails_decision } = await abuseReports.fileReport(
      emoji_id,
      { category, text, email, g_recaptcha_response },
      { address: request.ip, user_agent: request.headers['user-agent'] },
    )
    return mails_decision
  }
}

const readEntered = ({ body }: FastifyRequest): ReportInput => ({
  category: field(body, 'category'),
  text: field(body, 'text'),
  email: field(body, 'email').trim(),
})

/** Counts characters as the rule of the text does. */
const cutTexts = ({ category, text, email }: ReportInput): ReportInput => ({
  category,
  text: [...text.replaceAll(/\r\n?/g, '\n')].slice(0, shownAtMost.text).join(''),
  email: email.slice(0, shownAtMost.email),
})

/** Shows the form again with the entered texts; any other error gets its own page. */
function retry(
  error: unknown,
  reply: FastifyReply,
  sendForm: (status: number, problem: string) => FastifyReply,
): FastifyReply {
  if (!(error instanceof ServiceError) || !mendable.some((kind) => kind === error.kind)) throw error
  const { retry_after_seconds } = error.details
  if (retry_after_seconds !== undefined) reply.header('retry-after', String(retry_after_seconds))
  const problem = error.code === 'wrong_captcha' ? texts().wrongCaptcha : error.message
  return sendForm(statusOf(error.kind), problem)
}

function policyFor(captcha: CaptchaWidget | undefined): string {
  if (!captcha) return pagePolicy({ reads: true })
  const { scripts, frames } = captchaPolicy(captcha.script_url)
  return `${frames}script-src${scripts}; ${pagePolicy()}`
}
