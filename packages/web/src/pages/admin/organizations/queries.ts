import { type Organization, organizationsAgain } from '../../../api/admin-organizations.ts'
import { api, told } from '../../../api/client.ts'
import type { BodyOf } from '../../../api/shapes.ts'

type NewOrganization = BodyOf<'createOrganization'>

export async function createOrganization(body: NewOrganization): Promise<Organization> {
  const made = await told(api.POST('/admin/organizations', { body }))
  await organizationsAgain()
  return made
}
