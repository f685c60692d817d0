export { statsJobs } from './jobs.ts'
export {
  countedWindow,
  dayOf,
  lookupMetric,
  todayMetric,
  unknownViews,
  type Window,
} from './rules.ts'
export { Metric } from './schema.ts'
export { createStats, type Stats } from './stats.ts'
