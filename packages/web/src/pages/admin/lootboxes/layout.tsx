import { linkOptions, Outlet } from '@tanstack/react-router'
import { SectionNav } from '../../../design/section-nav.tsx'
import { adminTexts } from '../../../texts/en-admin.ts'

const { label, boxes, types } = adminTexts.frame.lootboxParts
const parts = [
  { link: linkOptions({ to: '/admin/lootboxes' }), text: boxes, isExact: true },
  { link: linkOptions({ to: '/admin/lootboxes/types' }), text: types },
]

export const LootboxesLayout = () => (
  <div className="grid gap-5">
    <SectionNav label={label} sections={parts} look="row" />
    <Outlet />
  </div>
)
