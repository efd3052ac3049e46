import type { SandboxExit } from '@agent-service/sdk/contracts/sandbox-driver'
import type { ToolContext } from '@agent-service/sdk/contracts/tool'
import type { Sandbox } from '@agent-service/sdk/services/sandbox'
import type { UserFiles } from '@agent-service/sdk/services/user-files'
import { createExcerpt } from '../output/excerpt.js'
import { createPlainText, withoutOverwritten } from '../output/plain-text.js'
import { callersOf, principalOf } from '../tools/common/calls.js'
import { leftOut, type PackageKind, type PackageLayout, stepMark } from './package-kind.js'
import { createTurns } from './turns.js'

/** How an installation ended. */
export interface InstallOutcome {
  readonly exit: SandboxExit
  /** What it printed, for the model. */
  readonly output: string
  /** What it did, in order. */
  readonly steps: readonly string[]
}

/** The packages of agents: one environment for each language in each workspace. */
export interface PackageEnvironments {
  /**
   * Installs packages, and first makes the environment, or makes it again if it is broken. One at a
   * time for a workspace and a language.
   */
  install(kind: PackageKind, packages: readonly string[], context: ToolContext): Promise<InstallOutcome>
  /**
   * Makes an environment again that exists and is broken, before something runs in it, unless the
   * agent works for others: they may have no network for it. A sentence for the model if that failed;
   * `undefined` if all is well or there is none.
   */
  repair(kind: PackageKind, context: ToolContext): Promise<string | undefined>
}

export function createPackageEnvironments(dependencies: {
  readonly sandbox: Pick<Sandbox, 'start'>
  readonly files: Pick<UserFiles, 'folder'>
  readonly layouts: Readonly<Record<PackageKind, PackageLayout>>
  /** The longest that an installation may take, in milliseconds. */
  readonly timeoutMs: number
}): PackageEnvironments {
  const { sandbox, files, layouts, timeoutMs } = dependencies
  const turns = createTurns()
  /** Those that were looked at since the service started, or could not be made. */
  const known = new Set<string>()

  const run = async (kind: PackageKind, packages: readonly string[], context: ToolContext): Promise<InstallOutcome> => {
    const { title, command, environment } = layouts[kind]
    const process = await sandbox.start(
      {
        kind: 'packages',
        principal: principalOf(context),
        callers: callersOf(context),
        timezone: context.timezone,
        environment,
        timeoutMs,
        title: `${title} packages: ${packages.length === 0 ? 'looking at the environment' : packages.join(' ')}`.slice(0, 200),
        command: [...command, ...packages],
      },
      { signal: context.signal },
    )
    process.closeInput()
    const { output, steps } = await followInstall(process, context)
    const exit = await process.exited
    context.signal.throwIfAborted()
    return { exit, output, steps }
  }
  const isWhole = async (kind: PackageKind, { userHandle, workspace }: ToolContext): Promise<'whole' | 'broken' | 'none'> => {
    const { list, mark, sign } = layouts[kind]
    const folder = files.folder({ handle: userHandle }, { subsystem: 'workspaces', path: workspace, links: 'refuse' })
    const [isListed, isMarked, isSigned] = await Promise.all(
      [list, mark, sign].map(async (each) => (await folder.stat(each)) !== undefined),
    )
    if (isMarked) return 'broken'
    if (!isListed) return 'none'
    return isSigned ? 'whole' : 'broken'
  }
  const keyOf = (kind: PackageKind, { userId, workspace }: ToolContext): string => `${userId}/${workspace}/${kind}`

  return {
    install: (kind, packages, context) =>
      turns.take(keyOf(kind, context), context.signal, async () => {
        const outcome = await run(kind, packages, context)
        if (outcome.exit.code === 0) remember(known, keyOf(kind, context))
        else known.delete(keyOf(kind, context))
        return outcome
      }),
    async repair(kind, context) {
      if (context.callers !== undefined) return undefined
      const key = keyOf(kind, context)
      const state = await isWhole(kind, context)
      if (state === 'none' || (state === 'whole' && known.has(key))) return undefined
      return turns.take(key, context.signal, async () => {
        // Another call may have made it meanwhile.
        if ((await isWhole(kind, context)) === 'whole' && known.has(key)) return undefined
        const { exit, output, steps } = await run(kind, [], context)
        if (exit.code === 0) {
          remember(known, key)
          const missing = missingIn(steps)
          return missing === ''
            ? undefined
            : `Note: the ${layouts[kind].title} environment of your packages was damaged and was made again. ${missing}`
        }
        return `Note: the ${layouts[kind].title} environment of your packages is broken and could not be made again. install_packages tries it anew. ${output}`
      })
    },
  }
}

/** What a new environment lacks, in words for the model. */
export const missingIn = (steps: readonly string[]): string =>
  steps
    .filter((step) => step.startsWith(leftOut))
    .map((step) => `${step}.`)
    .join(' ')

const maxKnown = 10_000

function remember(known: Set<string>, key: string): void {
  if (known.size >= maxKnown) known.clear()
  known.add(key)
}

/** Shows the steps and the lines of an installation as they come. */
async function followInstall(
  process: Awaited<ReturnType<Sandbox['start']>>,
  context: ToolContext,
): Promise<{ readonly output: string; readonly steps: readonly string[] }> {
  const plain = createPlainText()
  const excerpt = createExcerpt()
  const steps: string[] = []
  let line = ''
  const take = async (text: string, offset: number): Promise<void> => {
    const lines = `${line}${text.replaceAll('\r', '\n')}`.split('\n')
    line = (lines.pop() ?? '').slice(-maxLine)
    for (const each of lines) {
      if (each.startsWith(stepMark)) {
        const step = each.slice(stepMark.length)
        steps.push(step)
        await context.progress({ message: step })
      } else if (each.trim() !== '') {
        excerpt.add(`${each}\n`, offset)
        await context.output(`${each}\n`)
      }
    }
  }
  for await (const { bytes, offset } of process.output({ from: 0, signal: context.signal })) await take(plain.take(bytes), offset)
  await take(`${plain.end()}\n`, 0)
  return { output: withoutOverwritten(excerpt.text(({ characters }) => `[cut: ${characters} characters left out]`)).trimEnd(), steps }
}

const maxLine = 64_000
