import { transact } from '../../platform/database/database.ts'
import { isDuplicate } from '../../platform/database/faults.ts'
import { toPage } from '../../platform/http/paging.ts'
import { isUuid } from '../../platform/uuid.ts'
import type { Database, Transaction } from '../../tables.ts'
import {
  assertInOrganization,
  assertScope,
  isAdmin,
  type MemberRole,
  mayInOrganization,
  type Principal,
  scopesOfMember,
} from '../access/index.ts'
import type { Accounts } from '../accounts/index.ts'
import type { Audit } from '../audit/index.ts'
import * as organizations from './repository.ts'
import * as rules from './rules.ts'
import type {
  MemberBody,
  NewOrganization,
  OrganizationChange,
  OrganizationQuery,
} from './schema.ts'

export type Organizations = ReturnType<typeof createOrganizations>

type Options = { db: Database; accounts: Accounts; audit: Audit; now: () => Date }
/** What other features do when somebody may not act for the ids of an organization any more. */
type WhenLowered = (trx: Transaction, user_id: string, organization_id: string) => Promise<void>
type Member = { user_id: string; role: MemberRole }
type Scope = Parameters<typeof assertInOrganization>[2]

export function createOrganizations({ db, accounts, audit, now }: Options) {
  const whenLowered: WhenLowered[] = []

  /** Who is no member does not even learn that it exists. */
  const assertMay = (caller: Principal, id: string, scope: Scope) => {
    if (!isAdmin(caller) && !caller.memberships.has(id)) throw new rules.UnknownOrganizationError()
    assertInOrganization(caller, id, scope)
  }
  /** Its members see what it is, and administrators every one. */
  const assertMayRead = (caller: Principal, id: string) => {
    const isAdministered = mayInOrganization(caller, id, 'organization:admin')
    assertMay(caller, id, isAdministered ? 'organization:admin' : 'organization:read')
  }
  const loadToChange = async (trx: Transaction, id: string) => {
    const organization = await organizations.findToChange(trx, id)
    if (!organization) throw new rules.UnknownOrganizationError()
    return organization
  }
  const noteMember = (
    trx: Transaction,
    actor_id: string | null,
    id: string,
    user_id: string,
    details: { role: string; reason?: string | undefined },
  ) =>
    audit.note(trx, 'organization.member_changed', {
      actor_id,
      subject_id: user_id,
      details: { organization_id: id, ...details },
    })
  /** In a transaction of the caller; nothing when the partner path is taken. */
  const make = async (
    trx: Transaction,
    { name, partner_path, client_fee_percent = 0, reason }: NewOrganization,
    actor_id: string | null = null,
  ) => {
    const at = now()
    const members = { name: name.trim(), partner_path: partner_path || null, client_fee_percent }
    const made = await organizations.insert(trx, { ...members, created_at: at, updated_at: at })
    if (!made) return undefined
    const details = { organization_id: made.id, ...members, ...(reason ? { reason } : {}) }
    await audit.note(trx, 'organization.created', { actor_id, details })
    return made
  }
  const made = (organization_id: string, user_id: string) => ({
    organization_id,
    user_id,
    created_at: now(),
  })
  const mayWrite = (role: MemberRole) => scopesOfMember(role).has('organizationEmoji:write')
  const lower = async (trx: Transaction, id: string, user_id: string) => {
    for (const follow of whenLowered) await follow(trx, user_id, id)
  }
  /** Its owners as they were before, so that nobody is put out unseen. */
  const tellOwners = async (
    trx: Transaction,
    id: string,
    change: { before: Member[]; user_id: string; role: MemberRole | undefined; actor_id: string },
  ) => {
    const { before, user_id, role, actor_id } = change
    const organization = await loadToChange(trx, id)
    const [subject] = await accounts.findAll(trx, [user_id])
    const sentence = rules.memberSentence(organization.name, subject?.email ?? user_id, role)
    const title = 'The members of your organization changed'
    const role_before = before.find((member) => member.user_id === user_id)?.role
    const told = { told: 'member', organization_id: id, member_id: user_id } as const
    const owners = before.filter((member) => member.role === 'OrgOwner')
    const people = owners.map((owner) => owner.user_id)
    for (const user of await accounts.findAll(trx, people)) {
      // The access of another owner has nothing to do with it.
      if (user.id !== actor_id) await accounts.tell(trx, user, title, sentence)
      else await accounts.tellToOwner(trx, user, title, sentence, { ...told, role_before })
    }
  }
  const join = async (
    trx: Transaction,
    id: string,
    user_id: string,
    role: MemberRole,
    actor_id: string | null = null,
    reason?: string,
  ) => {
    await organizations.putMember(trx, { ...made(id, user_id), role })
    await noteMember(trx, actor_id, id, user_id, { role, reason })
  }

  // Taken back only for who still owns it: whoever was put out since does not come back by an old mail.
  accounts.whenRevoked(async (trx, user_id, { told }) => {
    const { organization_id: id, member_id, role_before: role } = told ?? {}
    if (told?.event !== 'member' || !id || !member_id || member_id === user_id) return
    if (!(await organizations.findToChange(trx, id))) return
    const members = await organizations.findMembers(trx, id)
    if (!members.some((one) => one.user_id === user_id && one.role === 'OrgOwner')) return
    if (role) await organizations.putMember(trx, { ...made(id, member_id), role })
    else await organizations.removeMember(trx, id, member_id)
    await noteMember(trx, user_id, id, member_id, { role: role ?? 'none', reason: 'Not me' })
    if (!role || !mayWrite(role)) await lower(trx, id, member_id)
  })
  accounts.beforeDeletion(async (trx, user_id) => {
    for (const { id, role } of await organizations.findOfUser(trx, user_id)) {
      if (role === 'OrgOwner') {
        await loadToChange(trx, id)
        rules.assertOwnerStays(await organizations.findMembers(trx, id), user_id, undefined)
      }
    }
    await organizations.removeUser(trx, user_id)
  })

  return {
    make,
    join,
    whenLowered: (action: WhenLowered) => void whenLowered.push(action),

    async create({ user_id }: Principal, organization: NewOrganization) {
      return transact(db, async (trx) => {
        const made = await make(trx, organization, user_id)
        if (!made) throw new rules.PathTakenError()
        return made
      })
    },

    async change(caller: Principal, id: string, change: OrganizationChange) {
      const { name, partner_path, client_fee_percent, reason } = change
      assertMay(caller, id, 'organization:write')
      // The path is part of addresses that were agreed with us, and so is the fee.
      const isAgreed = partner_path !== undefined || client_fee_percent !== undefined
      if (isAgreed) assertScope(caller, 'organization:admin')
      return transact(db, async (trx) => {
        await loadToChange(trx, id)
        const holder = partner_path && (await organizations.findByPath(trx, partner_path))
        if (holder && holder.id !== id) throw new rules.PathTakenError()
        const changed = await organizations
          .update(trx, id, {
            ...(name === undefined ? {} : { name: name.trim() }),
            ...(partner_path === undefined ? {} : { partner_path: partner_path || null }),
            ...(client_fee_percent === undefined ? {} : { client_fee_percent }),
            updated_at: now(),
          })
          .catch((error) => {
            throw isDuplicate(error) ? new rules.PathTakenError() : error
          })
        const details = { organization_id: id, name, partner_path, client_fee_percent, reason }
        await audit.note(trx, 'organization.changed', { actor_id: caller.user_id, details })
        return changed
      })
    },

    assertMay,
    assertMayRead,
    load: async (trx: Transaction, id: string) => loadToChange(trx, id),
    find: (from: Database | Transaction, id: string) => organizations.find(from, id),
    findByPath: (from: Database | Transaction, path: string) =>
      organizations.findByPath(from, path),

    /** A uuid comes first, so that no path stands for somebody else. */
    async findByPathOrId(text: string) {
      const byId = isUuid(text) ? await organizations.find(db, text) : undefined
      return byId ?? organizations.findByPath(db, text)
    },

    async show(caller: Principal, id: string) {
      assertMayRead(caller, id)
      const organization = await organizations.find(db, id)
      if (!organization) throw new rules.UnknownOrganizationError()
      return organization
    },

    async list(query: OrganizationQuery) {
      const { rows, total } = await organizations.findPage(db, query)
      return toPage(rows, total, query)
    },

    /** Those a user is a member of, with their role there. */
    of: (user_id: string) => organizations.findOfUser(db, user_id),

    async members(caller: Principal, id: string) {
      assertMay(caller, id, 'organizationUser:read')
      if (!(await organizations.find(db, id))) throw new rules.UnknownOrganizationError()
      return organizations.findMembers(db, id)
    },

    /** Who may act for its ids. */
    async powerMembers(trx: Database | Transaction, id: string): Promise<string[]> {
      const members = await organizations.findActiveMembers(trx, id)
      return members.filter(({ role }) => mayWrite(role)).map(({ user_id }) => user_id)
    },

    async putMember(caller: Principal, id: string, user_id: string, { role, reason }: MemberBody) {
      assertMay(caller, id, 'organizationUser:admin')
      return transact(db, async (trx) => {
        // The user first, as when a user is deleted: two who lock in turn would wait for each other.
        await accounts.loadToChange(trx, user_id)
        await loadToChange(trx, id)
        const before = await organizations.findMembers(trx, id)
        rules.assertOwnerStays(before, user_id, role)
        await join(trx, id, user_id, role, caller.user_id, reason)
        await tellOwners(trx, id, { before, user_id, role, actor_id: caller.user_id })
        if (!mayWrite(role)) await lower(trx, id, user_id)
        return organizations.findMembers(trx, id)
      })
    },

    async removeMember(
      caller: Principal,
      id: string,
      user_id: string,
      reason?: string,
    ): Promise<void> {
      assertMay(caller, id, 'organizationUser:admin')
      await transact(db, async (trx) => {
        await loadToChange(trx, id)
        const before = await organizations.findMembers(trx, id)
        rules.assertOwnerStays(before, user_id, undefined)
        const removed = await organizations.removeMember(trx, id, user_id)
        if (!removed) throw new rules.UnknownMemberError()
        await lower(trx, id, user_id)
        await noteMember(trx, caller.user_id, id, user_id, { role: 'none', reason })
        await tellOwners(trx, id, { before, user_id, role: undefined, actor_id: caller.user_id })
      })
    },
  }
}
