import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { announce } from '../../../design/announcements.ts'
import { Button, buttonLook } from '../../../design/button.tsx'
import { When } from '../../../design/date.tsx'
import { Card, ErrorOf } from '../../../design/feedback.tsx'
import { Section } from '../../../design/section.tsx'
import { useAction } from '../../../design/use-action.ts'
import { Waiting } from '../../../design/waiting.tsx'
import { withArt } from '../../../design/with-art.tsx'
import { groupByDay } from './days.ts'
import { markRead, type Notification, notificationsQuery } from './queries.ts'
import { texts } from './texts.ts'

export function NotificationsPage() {
  const { data, error, hasNextPage, fetchNextPage, isFetchingNextPage } =
    useInfiniteQuery(notificationsQuery)
  const rows = data?.pages.flatMap((one) => one.data)
  const newest = rows?.[0]
  const isUnread = (data?.pages[0]?.unread ?? 0) > 0
  const read = useAction({ mutationFn: markRead, onSuccess: () => announce(texts.marked) })
  return (
    <Section
      title={texts.title}
      text={texts.text}
      actions={
        newest && isUnread ? (
          <Button look="second" onClick={() => read.mutate(newest.id)}>
            {texts.markRead}
          </Button>
        ) : null
      }
    >
      <ErrorOf thrown={error ?? read.error} />
      {rows || error ? null : <Waiting />}
      {rows?.length === 0 ? <NoNotifications /> : null}
      {groupByDay(rows ?? [], new Date()).map(({ day, members }) => (
        <section key={day} className="grid gap-2">
          <h2 className="text-base font-semibold text-soft">{day}</h2>
          <ul className="grid gap-2">
            {members.map((notification) => (
              <NotificationRow key={notification.id} notification={notification} />
            ))}
          </ul>
        </section>
      ))}
      {hasNextPage ? (
        <div>
          <Button look="second" isBusy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {texts.more}
          </Button>
        </div>
      ) : null}
    </Section>
  )
}

const NotificationRow = ({ notification }: { notification: Notification }) => {
  const { title, text, page, created_at, read_at } = notification
  return (
    <li
      className={`rounded-card border bg-card p-4 shadow-sm ${read_at ? 'border-hair' : 'border-main'}`}
    >
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <Link
          to={page as '/account'}
          className="inline-flex min-h-11 items-center font-semibold wrap-anywhere"
        >
          {read_at ? null : <span className="sr-only">{texts.unread} </span>}
          <span>{withArt(title)}</span>
        </Link>
        <span className="text-sm text-soft">
          <When at={created_at} />
        </span>
      </div>
      {text ? <p className="wrap-anywhere">{withArt(text)}</p> : null}
    </li>
  )
}

const NoNotifications = () => (
  <Card className="grid justify-items-start gap-4">
    <p>{texts.none}</p>
    <div className="flex flex-wrap gap-3">
      <Link to="/" className={buttonLook('main')}>
        {texts.search}
      </Link>
      <Link to="/account/interests" className={buttonLook('second')}>
        {texts.watch}
      </Link>
    </div>
  </Card>
)
