import { useQuery } from '@tanstack/react-query'
import { omitEmpty } from '../../../api/omit-empty.ts'
import { DataTable } from '../../../design/data-table.tsx'
import { FilterSelect, Filters } from '../../../design/filters.tsx'
import { useList } from '../../../design/list-search.ts'
import { PagedTable } from '../../../design/paged-table.tsx'
import { Section } from '../../../design/section.tsx'
import { optionsOf } from '../../../design/select.tsx'
import { ListPanel } from '../parts/panel.tsx'
import { texts as adminTexts } from '../texts.ts'
import { jobColumns, taskColumns } from './columns.tsx'
import { jobPageQuery, jobStates, taskCountsQuery } from './queries.ts'
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
