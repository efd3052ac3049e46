import { pathToFileURL } from 'node:url'
import { boundedLines } from '../admission/bounded-lines.js'
import { codeLines, pluginOfModule } from '../admission/code-lines.js'
import { restoreIntrinsics } from '../admission/intrinsics.js'
import { contractPoints } from '../admission/known-points.js'
import { thirdPartyLines, unknownPointLines } from '../admission/manifest-claims.js'
import { guardProcess } from '../core/guard-process.js'
import { messageOf } from '../core/message-of.js'
import type { PluginManifestFile } from '../manifest/plugin-manifest.js'
import { type SetupFindings, type SetupTrial, trySetup } from './try-setup.js'

/** What is to be examined: a plugin whose `plugin.json` is valid. */
export interface ExaminedFiles {
  /** The content of its `plugin.json`. */
  readonly manifest: PluginManifestFile
  /** Its module; absent in stage `declared`. Absolute. */
  readonly entryPath?: string | undefined
  /** A JSON file with settings for `setup`. Default: those of the manifest. */
  readonly settingsFile?: string | undefined
}

/** What the host would refuse in a third party's plugin, whatever other plugins there are. */
export interface PluginVerdict {
  /** One line for each fault, in the words of the start report. Empty if there is none. */
  readonly problems: readonly string[]
  /** Whether `setup` ran with stand-in services; absent if it failed or a problem came first. */
  readonly setup?: SetupTrial
}

/**
 * Examines a third party's plugin in the steps in which the host does: its manifest, then its
 * module, which is imported, then its `setup`. A step with faults is the last one.
 */
export async function examinePlugin({ manifest, entryPath, settingsFile }: ExaminedFiles): Promise<PluginVerdict> {
  const claims = thirdPartyLines(manifest)
  if (claims.length > 0) return { problems: claims }
  const unknownPoints = unknownPointLines(manifest, contractPoints)
  if (unknownPoints.length > 0 || entryPath === undefined) return { problems: unknownPoints }
  // Else an exit with 0 would look like a valid plugin.
  const endGuard = guardProcess(() => manifest.id)
  const escaped = collectEscapedErrors()
  try {
    const verdict = await examineCode(manifest, entryPath, settingsFile)
    await new Promise((resolve) => setTimeout(resolve, escapeMs))
    const { setup, problems } = { setup: undefined, ...verdict }
    const all = boundedLines([...problems, ...escaped.lines])
    return all.length > 0 || setup === undefined ? { problems: all } : { problems: all, setup }
  } finally {
    escaped.end()
    endGuard()
  }
}

/** How long errors may take to escape after `setup`, in milliseconds. */
const escapeMs = 25

/** Until its end, errors that are not caught become lines and do not end the process. */
function collectEscapedErrors(): { readonly lines: readonly string[]; end(): void } {
  const lines: string[] = []
  const onException = (error: unknown): void => void lines.push(`an error escaped as an uncaught exception: ${messageOf(error)}`)
  const onRejection = (error: unknown): void => void lines.push(`an error escaped as an unhandled rejection: ${messageOf(error)}`)
  process.on('uncaughtException', onException)
  process.on('unhandledRejection', onRejection)
  return {
    lines,
    end() {
      process.off('uncaughtException', onException)
      process.off('unhandledRejection', onRejection)
    },
  }
}

async function examineCode(manifest: PluginManifestFile, entryPath: string, settingsFile: string | undefined): Promise<PluginVerdict> {
  let module: unknown
  try {
    module = await import(pathToFileURL(entryPath).href)
  } catch (error) {
    const changes = restoreIntrinsics()
    return { problems: changes.length > 0 ? changes : [`importing ${entryPath} failed: ${messageOf(error)}`] }
  }
  const changes = restoreIntrinsics()
  if (changes.length > 0) return { problems: changes }
  const exported = pluginOfModule(module, entryPath)
  if ('reason' in exported) return { problems: [exported.reason] }
  const lines = codeLines({ id: manifest.id, builtIn: false, manifest }, exported.code, manifest)
  if (lines.length > 0) return { problems: lines }
  const findings: SetupFindings = await trySetup(exported.code, settingsFile)
  return findings
}
