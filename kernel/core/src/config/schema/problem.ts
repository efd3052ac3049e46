import { defineError, type Problem, type ServiceError } from '@agent-service/sdk'
import { formatPath, type ValuePath } from './dotted-path.js'

/** A problem of the configuration without its place in the file. */
export interface Finding {
  readonly path: ValuePath
  readonly message: string
  /** Point at the key, not at its value. */
  readonly atKey?: boolean
}

/**
 * The configuration cannot be used. `problems` lists all problems, each message with its line and
 * column or its variable.
 */
export const configurationInvalidError = defineError<{ readonly file: string; readonly problems: readonly Problem[] }>({
  code: 'configuration_invalid',
  status: 500,
  title: 'Configuration invalid',
  message: ({ file, problems }) =>
    [
      `The configuration has ${problems.length} problem${problems.length === 1 ? '' : 's'} (file: ${file}):`,
      ...problems.map((problem) => `  ${formatProblem(problem)}`),
    ].join('\n'),
})

/** `path: message (line:column)`. */
export const formatProblem = (problem: Problem): string => (problem.path === '' ? problem.message : `${problem.path}: ${problem.message}`)

export const configurationInvalid = (file: string, problems: readonly Problem[], cause?: unknown): ServiceError =>
  configurationInvalidError.create({ file, problems }, { problems, cause })

/** A finding as it is shown. `place` is `12:3` or the variable's name. */
export const problemAt = (finding: Finding, place: string | undefined): Problem => ({
  path: formatPath(finding.path),
  message: place === undefined ? finding.message : `${finding.message} (${place})`,
})
