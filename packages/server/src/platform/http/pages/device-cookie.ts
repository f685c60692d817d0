import type { FastifyReply, FastifyRequest } from 'fastify'
import { daySeconds } from '../../time.ts'

const name = '__Host-svc_device'
const year = 365 * daySeconds
const attributes = { path: '/', secure: true, httpOnly: true, sameSite: 'lax' } as const

/** The device cookie that an earlier sign-in set. */
export const deviceOf = ({ cookies }: FastifyRequest): string | undefined => cookies[name]

export const keepDevice = (reply: FastifyReply, device: string) =>
  reply.setCookie(name, device, { ...attributes, maxAge: year })
