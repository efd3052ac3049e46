import { configurationLocation, revisionOf } from '@agent-service/kernel-core/config/read'
import { createDurableFileSystem, type DurableFileSystem, withFileLock } from '@agent-service/kernel-core/disk'
import { ServiceError } from '@agent-service/sdk'
import { storageFullError } from '@agent-service/sdk/contracts/database-driver'
import { textOf } from '../edit/edit-yaml.js'
import { changedValues } from '../explain/changed-values.js'
import type {
  ConfigurationEditor,
  ConfigurationEditorOptions,
  ConfigurationPatch,
  SaveOptions,
  SaveResult,
} from './configuration-editor.js'
import { type ConfigurationTarget, findTarget } from './configuration-target.js'
import { configurationBusyError, configurationNotWritableError, configurationPatchInvalidError, staleConfigError } from './errors.js'
import { currentRevision, type FilePlace, readFileState } from './file-state.js'
import { prepareChange } from './prepare-change.js'
import { removeLeftovers, writeConfiguration } from './write-configuration.js'

/** The tools of an editor, replaced in tests. */
export interface EditorTools {
  /** For all writes. */
  readonly fileSystem?: DurableFileSystem
  readonly withLock?: typeof withFileLock
}

/**
 * Creates the editor of the file that the origin leads to. @throws `configuration_invalid` if the
 * variables that name the file contradict each other.
 */
export function createConfigurationEditor(options: ConfigurationEditorOptions, tools: EditorTools = {}): ConfigurationEditor {
  const { origin, lockTimeoutMs = 10_000 } = options
  const { fileSystem = createDurableFileSystem(), withLock = withFileLock } = tools
  const { path, named } = configurationLocation(origin.environment, origin.workingDirectory)
  const place = { path, mustExist: named }

  return {
    async read() {
      const state = await readFileState(place)
      const { revision, exists } = state
      if ('problems' in state) return { path, exists, revision, saved: {}, problems: state.problems }
      return { path, exists, revision, saved: state.file.value, problems: [] }
    },
    async save(patch, revision, { announce } = {}) {
      const target = await findTarget(path)
      return reportingFaults(target.path, async () => {
        if (!named) await fileSystem.createFolder(target.folder)
        return withLock(
          target.lockPath,
          {
            timeoutMs: lockTimeoutMs,
            onTimeout: () => configurationBusyError.create({ path: target.path, waitedMs: lockTimeoutMs }, { retryAfterSeconds: 1 }),
            owner: target.owner,
          },
          () => saveLocked(place, target, { patch, revision, announce }, options, fileSystem),
        )
      })
    },
    async check(patch = {}) {
      const state = await readFileState(place)
      if ('problems' in state) return { problems: state.problems, warnings: [], overlaps: [] }
      const { problems, examination } = await prepareChange(state.file, state.source, patch, options)
      return { problems, warnings: examination.warnings, overlaps: examination.overlaps }
    },
  }
}

/** Saves while the lock is held. */
async function saveLocked(
  place: FilePlace,
  target: ConfigurationTarget,
  { patch, revision, announce }: SaveOptions & { readonly patch: ConfigurationPatch; readonly revision: string },
  options: ConfigurationEditorOptions,
  fileSystem: DurableFileSystem,
): Promise<SaveResult> {
  const refuseStale = (actual: string): void => {
    if (actual !== revision) throw staleConfigError.create({ expected: revision, actual })
  }
  const state = await readFileState(place)
  refuseStale(state.revision)
  if ('problems' in state) throw configurationPatchInvalidError.create(state, state)
  await removeLeftovers(fileSystem, target)

  const { source, problems, locked, examination } = await prepareChange(state.file, state.source, patch, options)
  if (problems.length > 0) throw configurationPatchInvalidError.create({ problems }, { problems })
  const [before, after] = [textOf(state.source), textOf(source)]
  if (after === before) return { revision, locked, changed: false }
  const next = revisionOf(Buffer.from(after, 'utf8'))
  const confirm = async (): Promise<void> => {
    const values = changedValues(examination.schema, state.file.value, examination.file.value)
    await announce?.({ ...values, previous_revision: revision, revision: next })
    // An editor that changes the file by hand takes no lock.
    refuseStale(await currentRevision(place))
  }
  await writeConfiguration(fileSystem, target, { before: state.exists ? before : undefined, after }, confirm)
  return { revision: next, locked, changed: true }
}

/** Translates errors of the file system into the reason why a file cannot be replaced. */
async function reportingFaults<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (ServiceError.isInstance(error) || !(error instanceof Error) || !('code' in error)) throw error
    if (['ENOSPC', 'EDQUOT', 'EFBIG'].includes(String(error.code))) throw storageFullError.create({ path }, { cause: error })
    const reason = reasons[String(error.code)]
    if (reason === undefined) throw error
    throw configurationNotWritableError.create({ path, reason }, { cause: error })
  }
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'this process may not write to its folder',
  EPERM: 'this process may not write to its folder',
  EROFS: 'its file system is read-only',
  EBUSY: 'it is mounted by itself; mount its folder instead',
  EXDEV: 'it is mounted by itself; mount its folder instead',
  ENOENT: 'its folder does not exist',
  ENOTDIR: 'its parent is not a folder',
}
