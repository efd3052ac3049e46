import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { AnswerCheck } from '@agent-service/kernel-core/http/answer'
import { createAnswerCheck } from '@agent-service/kernel-core/http/testing'
import type { Clock } from '@agent-service/sdk/services/clock'
import { findInstallation } from '../commands/installation.js'
import type { KernelOptions } from '../composition/kernel-options.js'
import { type Kernel, startKernel } from '../composition/start-kernel.js'

/** What a test may say; everything has a default. */
export interface TestKernelOptions
  extends Partial<Pick<KernelOptions, 'clock' | 'demo' | 'httpLimits' | 'pluginLimits' | 'override' | 'builtInFolder' | 'systemZone'>> {
  /**
   * Where its data lies. Default: a temporary folder, removed at the end; one that is given stays.
   */
  readonly folder?: string
  /** Folders of further plugins. */
  readonly plugins?: readonly string[]
  /** More variables of the environment: `SERVICE_…`. */
  readonly environment?: Readonly<Record<string, string>>
  readonly clock?: Clock
  /**
   * `open`: everyone may sign up, as if the environment said so. `as-configured`: the file or the
   * environment of the test decides, as in the product. Default: `open`.
   */
  readonly registration?: 'open' | 'as-configured'
  /** How many lines of its log are kept, the newest. Default: all. */
  readonly maxLogLines?: number
}

/** A real kernel on a free port of this machine. */
export interface TestKernel extends Kernel {
  readonly folder: string
  /** The lines of its log so far, parsed: all, or the newest `maxLogLines`. */
  readonly log: readonly Readonly<Record<string, unknown>>[]
  /** Answers that were not what their routes declare. {@link stop} throws when there are any. */
  readonly answers: AnswerCheck
}

/**
 * Starts the real kernel with the built-in plugins in a folder of its own. There is no second boot
 * path: what a test leaves out is what the product does, save for cheap password hashes and answers
 * that are held against their schemas.
 */
export async function createTestKernel(options: TestKernelOptions = {}): Promise<TestKernel> {
  const installation = findInstallation()
  const folder = options.folder ?? (await mkdtemp(path.join(tmpdir(), 'agent-service-test-')))
  const lines: Record<string, unknown>[] = []
  const { maxLogLines = Number.POSITIVE_INFINITY } = options
  const keep = (line: string): void => {
    lines.push(JSON.parse(line) as Record<string, unknown>)
    if (lines.length > maxLogLines) lines.shift()
  }
  const answers = createAnswerCheck()
  const remove = (): Promise<void> => (options.folder === undefined ? rm(folder, { recursive: true, force: true }) : Promise.resolve())

  let kernel: Kernel
  try {
    kernel = await startKernel({
      ...installation,
      ...(options.builtInFolder === undefined ? {} : { builtInFolder: options.builtInFolder }),
      ...(options.clock === undefined ? {} : { clock: options.clock }),
      ...(options.demo === undefined ? {} : { demo: options.demo }),
      ...(options.httpLimits === undefined ? {} : { httpLimits: options.httpLimits }),
      ...(options.pluginLimits === undefined ? {} : { pluginLimits: options.pluginLimits }),
      ...(options.override === undefined ? {} : { override: options.override }),
      systemZone: options.systemZone ?? 'UTC',
      workingDirectory: folder,
      environment: {
        SERVICE_SERVER_DATA_DIR: path.join(folder, 'data'),
        SERVICE_SERVER_PORT: '0',
        SERVICE_AUTH_ENCRYPTION_SECRET: 'a secret for tests alone',
        // So that tests sign up whom they need.
        ...(options.registration === 'as-configured' ? {} : { SERVICE_AUTH_ALLOW_REGISTRATION: 'true' }),
        ...(options.plugins ? { SERVICE_PLUGINS_SOURCES: JSON.stringify(options.plugins) } : {}),
        ...options.environment,
      },
      passwordCost: { memoryCost: 1024, timeCost: 2, parallelism: 1 },
      answerCheck: answers,
      log: { format: 'json', stream: { write: keep } },
    })
  } catch (error) {
    await remove()
    throw error
  }

  return {
    ...kernel,
    folder,
    log: lines,
    answers,
    async stop() {
      await kernel.stop()
      await remove()
      if (answers.violations.length > 0)
        throw new Error(`Answers were not what their routes declare: ${JSON.stringify(answers.violations)}`)
    },
  }
}
