import { type Organization, refetchOrganizations } from '../../../api/admin.ts'
import { api, unwrap } from '../../../api/client.ts'
import type { BodyOf } from '../../../api/shapes.ts'

type NewOrganization = BodyOf<'createOrganization'>

export async function createOrganization(body: NewOrganization): Promise<Organization> {
  const organization = await unwrap(api.POST('/admin/organizations', { body }))
  await refetchOrganizations()
  return organization
}
