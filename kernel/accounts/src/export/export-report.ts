import { defineError, ServiceError } from '@agent-service/sdk'

/** Why something is not in an archive. Without internal text. */
export interface ExportProblem {
  readonly code: string
  readonly message: string
  /** The file or record that it is about. */
  readonly path?: string
}

/** What an archive has of one part: a contribution, or a folder of files. */
export interface PartReport {
  readonly id: string
  /** Where it is in the archive. */
  readonly folder: string
  /** Records, or files. */
  items: number
  bytes: number
  /** Links, devices and names that no archive takes; only of files. */
  skipped: number
  /** What the policies do not permit the person to read. */
  readonly forbidden: {
    count: number
    /** Paths of files; not all if there are very many. */
    readonly paths: string[]
  }
  readonly problems: ExportProblem[]
}

/** The problems of a part that are named. */
const maxProblems = 20
/** The forbidden files of a part that are named. */
const maxForbidden = 1_000

const filesForbiddenError = defineError<{ readonly count: number }>({
  code: 'forbidden',
  status: 403,
  title: 'Forbidden',
  message: ({ count }) =>
    `The policies of this service do not permit you to read ${count === 1 ? 'one file' : `${count} files`}, left out here and named in “forbidden”.`,
})

export const newReport = (id: string, folder: string): PartReport => ({
  ...{ id, folder, items: 0, bytes: 0, skipped: 0 },
  forbidden: { count: 0, paths: [] },
  problems: [],
})

/** Notes a file that is left out because the policies do not permit its person to read it. */
export function addForbidden({ forbidden }: PartReport, path: string): void {
  forbidden.count += 1
  if (forbidden.paths.length < maxForbidden) forbidden.paths.push(path)
}

/** The problems with the one that all forbidden files are. */
export function problemsOf(report: PartReport): readonly ExportProblem[] {
  const { count } = report.forbidden
  if (count === 0) return report.problems
  const { code, message } = filesForbiddenError.create({ count })
  return [...report.problems, { code, message }]
}

/** Notes that something is missing. */
export function addProblem(report: PartReport, error: unknown, path?: string): void {
  if (report.problems.length >= maxProblems) return
  const shown = ServiceError.isInstance(error) && error.status < 500
  report.problems.push({
    code: shown ? error.code : 'export_failed',
    message: shown ? error.message : 'An internal error occurred; the log of the service has the details.',
    ...(path === undefined ? {} : { path }),
  })
}
