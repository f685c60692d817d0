import { jobStates } from '@emojid/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { omitEmpty } from '../../../api/omit-empty.ts'
import { Badge, type Tone } from '../../../design/badge.tsx'
import { type Column, DataTable } from '../../../design/data-table.tsx'
import { When } from '../../../design/date.tsx'
import { optionsOf } from '../../../design/field.tsx'
import { FilterSelect, Filters } from '../../../design/filters.tsx'
import { useList } from '../../../design/list-search.ts'
import { PagedTable } from '../../../design/paged-table.tsx'
import { Section } from '../../../design/section.tsx'
import { language } from '../../../language.ts'
import { AskButton } from '../parts/ask-button.tsx'
import { ListPanel } from '../parts/panel.tsx'
import { texts as adminTexts } from '../texts.ts'
import { type Job, jobActions, jobPageQuery, type TaskCount, taskCountsQuery } from './queries.ts'
import { texts } from './texts.ts'

const stateOptions = optionsOf(jobStates, texts.states)

export const JobsPage = () => (
  <Section title={adminTexts.sections.jobs} text={texts.text}>
    <Tasks />
    <JobList />
  </Section>
)

function Tasks() {
  const { data, error } = useQuery(taskCountsQuery)
  return (
    <ListPanel title={texts.summary}>
      <DataTable
        caption={texts.summaryCaption}
        columns={taskColumns}
        rows={data}
        keyOf={({ task }) => task}
        error={error}
        empty={texts.nothing}
      />
    </ListPanel>
  )
}

function JobList() {
  const { page, filters, field } = useList({ state: jobStates, task: 'text' })
  const { data: tasks = [] } = useQuery(taskCountsQuery)
  const answer = useQuery(jobPageQuery({ page, ...filters }))
  const names = new Set(tasks.map(({ task }) => task))
  if (filters.task) names.add(filters.task)
  return (
    <ListPanel title={texts.list}>
      <PagedTable
        answer={answer}
        filters={
          <Filters label={texts.filters}>
            <FilterSelect
              label={texts.state}
              all={texts.everyState}
              options={stateOptions}
              {...field('state')}
            />
            <FilterSelect
              label={texts.task}
              all={texts.everyTask}
              options={[...names].sort().map((name) => ({ value: name, text: name }))}
              {...field('task')}
            />
          </Filters>
        }
        texts={texts}
        columns={jobColumns}
        csv={{ path: '/admin/jobs/export', name: 'jobs', filters: omitEmpty(filters) }}
        keyOf={({ id }) => id}
        empty={texts.none}
      />
    </ListPanel>
  )
}

const tones: Record<Job['state'], Tone> = {
  waiting: 'plain',
  running: 'main',
  failed: 'wrong',
  given_up: 'wrong',
}

const taskColumns: Column<TaskCount>[] = [
  {
    title: texts.columns.task,
    show: ({ task }) => (
      <Link
        to="/admin/jobs"
        search={{ task }}
        className="min-h-6 wrap-anywhere text-main underline underline-offset-4"
      >
        {task}
      </Link>
    ),
  },
  ...jobStates.map((state) => ({
    title: texts.columns[state],
    isAtEnd: true,
    show: (row: TaskCount) => (
      <span className={`tabular-nums ${row[state] === 0 ? 'text-soft' : 'font-semibold'}`}>
        {row[state].toLocaleString(language)}
      </span>
    ),
  })),
  {
    title: texts.columns.oldest,
    show: ({ oldest_due }) => (oldest_due ? <When at={oldest_due} /> : texts.notDue),
  },
]

const jobColumns: Column<Job>[] = [
  {
    title: texts.columns.task,
    show: ({ task, key, id, error }) => (
      <span className="grid gap-0.5 md:min-w-64">
        <span className="font-semibold wrap-anywhere">{task}</span>
        <span className="text-sm wrap-anywhere text-soft">{key ?? `#${id}`}</span>
        {error ? (
          <span>
            <span className="sr-only">{texts.columns.error}: </span>
            <span className="font-mono text-sm wrap-anywhere text-wrong">{error}</span>
          </span>
        ) : null}
      </span>
    ),
  },
  {
    title: texts.columns.state,
    show: ({ state }) => <Badge tone={tones[state]}>{texts.states[state]}</Badge>,
  },
  {
    title: texts.columns.attempts,
    isAtEnd: true,
    show: ({ attempts, max_attempts }) => (
      <span className="whitespace-nowrap tabular-nums">
        {texts.attempts(attempts, max_attempts)}
      </span>
    ),
  },
  { title: texts.columns.next, show: ({ run_at }) => <When at={run_at} /> },
  {
    title: texts.columns.actions,
    isAtEnd: true,
    show: (job) => <Actions job={job} />,
  },
]

const refundTask = 'payments.refund'

function Actions({ job: { id, task, state, removable } }: { job: Job }) {
  if (state !== 'failed' && state !== 'given_up') return '—'
  return (
    <span className="flex flex-wrap justify-end gap-2 whitespace-nowrap">
      <AskButton
        {...texts.retry}
        text={texts.retry.text(task)}
        asksReason
        run={(reason) => jobActions.retry(id, reason)}
      />
      {removable ? (
        <AskButton
          {...texts.remove}
          text={task === refundTask ? texts.remove.refund : texts.remove.text(task)}
          isDangerous
          asksReason
          run={(reason) => jobActions.remove(id, reason)}
        />
      ) : null}
    </span>
  )
}
