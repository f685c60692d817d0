import { applicationsAgain } from '../../../api/admin-applications.ts'
import { api, told } from '../../../api/client.ts'
import type { AnswerOf, BodyOf } from '../../../api/shapes.ts'

export type ApplicationWithSecret = AnswerOf<'createOauthClient'>

type NewApplication = BodyOf<'createOauthClient'>

export async function createApplication(body: NewApplication): Promise<ApplicationWithSecret> {
  const made = await told(api.POST('/admin/oauth_clients', { body }))
  await applicationsAgain()
  return made
}
