import { refetchApplications } from '../../../api/admin.ts'
import { api, unwrap } from '../../../api/client.ts'
import type { AnswerOf, BodyOf } from '../../../api/shapes.ts'

export type ApplicationWithSecret = AnswerOf<'createOauthClient'>

type NewApplication = BodyOf<'createOauthClient'>

export async function createApplication(body: NewApplication): Promise<ApplicationWithSecret> {
  const application = await unwrap(api.POST('/admin/oauth_clients', { body }))
  await refetchApplications()
  return application
}
