import { isDeepStrictEqual } from 'node:util'
import { type Examination, formatPath, isObject, own } from '@agent-service/kernel-core/config'
import type { JsonObject, JsonValue, Problem } from '@agent-service/sdk'
import { effectiveValues, fieldLines, fieldReferences, fieldSources, fileSchema, savedValues } from '../explain/index.js'

/** The configuration file as it is now. */
export interface CurrentFile {
  readonly revision: string
  /** Absent while the file cannot be read or parsed. */
  readonly examination?: Examination
  /** Everything that would prevent the next start. */
  readonly problems: readonly Problem[]
}

/**
 * The response of `GET /api/admin/config`: the running configuration, the file, and whether a
 * restart would change anything.
 */
export function describeConfiguration(running: Examination, current: CurrentFile): JsonObject {
  const { revision, examination, problems } = current
  const pending = examination ? changedPaths(running.evaluation.values, examination.evaluation.sound) : []
  return {
    revision,
    file: running.file.path,
    values: effectiveValues(running),
    saved: examination ? savedValues(examination) : {},
    lines: examination ? { ...fieldLines(examination) } : {},
    references: { ...fieldReferences(running) },
    sources: { ...fieldSources(running) },
    locked: running.evaluation.environmentValues.map(({ path, variable }): JsonObject => ({ path: formatPath(path), variable })),
    schema: schemaOf(running),
    restart_required: pending.length > 0 || (examination === undefined && revision !== running.file.revision),
    pending,
    problems: problems.map(({ path, message }): JsonValue => ({ path, message })),
  }
}

const schemas = new WeakMap<Examination, JsonObject>()

/** The schema of a running service never changes, so it is created once. */
function schemaOf(running: Examination): JsonObject {
  const schema = schemas.get(running) ?? fileSchema(running.schema)
  schemas.set(running, schema)
  return schema
}

/**
 * The dotted paths at which two values differ: the deepest ones; lists, and values that only one
 * side has, as a whole.
 */
export function changedPaths(before: JsonValue | undefined, after: JsonValue | undefined, path: readonly string[] = []): readonly string[] {
  if (isObject(before) && isObject(after)) {
    const names = new Set([...Object.keys(before), ...Object.keys(after)])
    return [...names].flatMap((name) => changedPaths(own(before, name), own(after, name), [...path, name]))
  }
  return isDeepStrictEqual(before, after) ? [] : [formatPath(path)]
}
