import { auditEvents, auditTexts } from './admin-audit.ts'
import { codeFormTexts, codeTexts } from './admin-codes.ts'
import { adminFrameTexts, userListTexts } from './admin-frame.ts'
import { jobTexts } from './admin-jobs.ts'
import { orderListTexts, orderPageTexts } from './admin-orders.ts'
import { userTexts } from './admin-user.ts'

/** Every sentence of the operators' pages. Apart from the others, which everybody loads first. */
export const adminTexts = {
  frame: adminFrameTexts,
  users: userListTexts,
  user: userTexts,
  orders: orderListTexts,
  order: orderPageTexts,
  codes: codeTexts,
  codeForm: codeFormTexts,
  audit: auditTexts,
  auditEvents,
  jobs: jobTexts,
} as const
