import { linkOptions, Outlet, useParams } from '@tanstack/react-router'
import { SectionNav } from '../../../design/section-nav.tsx'
import { texts } from './texts.ts'

const { label, boxes, types } = texts.parts
const ofBoxes = { link: linkOptions({ to: '/admin/lootboxes' }), text: boxes, isExact: true }
const ofTypes = { link: linkOptions({ to: '/admin/lootboxes/types' }), text: types }

export function LootboxesLayout() {
  // The page of one box belongs to the boxes; the types are below the same path.
  const { id } = useParams({ strict: false })
  const parts = [id ? { ...ofBoxes, under: `/admin/lootboxes/${id}` } : ofBoxes, ofTypes]
  return (
    <div className="grid gap-5">
      <SectionNav label={label} sections={parts} look="row" />
      <Outlet />
    </div>
  )
}
