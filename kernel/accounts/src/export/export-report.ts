import { ServiceError } from '@agent-service/sdk'

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
  readonly problems: ExportProblem[]
}

/** The problems of a part that are named. */
const maxProblems = 20

export const newReport = (id: string, folder: string): PartReport => ({ id, folder, items: 0, bytes: 0, skipped: 0, problems: [] })

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
