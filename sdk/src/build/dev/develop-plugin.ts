import { watch } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { readPluginPackage } from '../common/plugin-package.js'
import { type Child, startChild } from './child.js'
import { findCompiler, findService } from './find-programs.js'

/** How `dev` runs. */
export interface DevelopOptions {
  /** The program `agent-service`; default: that of `@agent-service/kernel`. */
  readonly service?: string
  /** Where the service listens. Default: its own default. */
  readonly port?: string
  /** Of the programs that it starts. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Ends the command. */
  readonly signal: AbortSignal
  /** Gets each line for the person, with its source in front. */
  print(line: string): void
}

/**
 * How long after the last change of a file the plugin is built, in milliseconds: compilers write
 * many files.
 */
const quietMs = 200
const program = fileURLToPath(new URL('../../../bin/agent-service-plugin.mjs', import.meta.url))

/**
 * Runs a demo service with the plugin: compiles on change, builds, and starts the service again. A
 * plugin that does not build leaves the service as it is. Resolves when the signal is aborted and
 * everything that was started has ended. @throws a `plugin_build_failed` error if a program or the
 * package.json is not there.
 */
export async function developPlugin(folder: string, options: DevelopOptions): Promise<void> {
  const { environment } = options
  const plugin = await readPluginPackage(folder)
  const service = findService(plugin.folder, options.service)
  const compiler = findCompiler(plugin.folder)
  const output = path.dirname(plugin.entryPath)
  await mkdir(output, { recursive: true })
  const say = (from: string) => (line: string) => options.print(`${from} │ ${line}`)
  const changes = watchChanges(output, options.signal)
  const compiling =
    compiler === undefined
      ? undefined
      : startChild([compiler, '--watch', '--preserveWatchOutput'], {
          cwd: plugin.folder,
          environment,
          // From release 7 on `tsc` starts a native program, and before Node 22.15 it does not end it.
          leads: true,
          onLine: say('tsc    '),
        })

  let running: Child | undefined
  for await (const _change of changes) {
    const building = startChild([program, 'build', plugin.folder], { cwd: plugin.folder, environment, onLine: say('build  ') })
    if ((await building.ended) !== 0) continue
    if (running) {
      say('service')('The plugin has changed; the service starts again.')
      await running.stop()
    }
    if (options.signal.aborted) break
    running = startChild([service, 'start', '--demo'], {
      cwd: plugin.folder,
      environment: { ...environment, ...serviceEnvironment(plugin.folder, options.port) },
      onLine: say('service'),
    })
  }
  await Promise.all([running?.stop(), compiling?.stop()])
}

const serviceEnvironment = (folder: string, port: string | undefined): Readonly<Record<string, string>> => ({
  SERVICE_PLUGINS_SOURCES: JSON.stringify([folder]),
  SERVICE_SERVER_DATA_DIR: path.join(folder, '.agent-service'),
  ...(port !== undefined && { SERVICE_SERVER_PORT: port }),
})

/**
 * Yields at once, then after each burst of changes below a folder, until the signal is aborted.
 * What the build writes does not count as a change.
 */
async function* watchChanges(folder: string, signal: AbortSignal): AsyncIterable<void> {
  let changed = true
  let wake: () => void = () => undefined
  let timer: NodeJS.Timeout | undefined
  const watcher = watch(folder, { recursive: true }, (_event, file) => {
    if (file === null || /(^|[\\/])plugin\.json|\.(tmp|tsbuildinfo)$/.test(file)) return
    clearTimeout(timer)
    timer = setTimeout(() => {
      changed = true
      wake()
    }, quietMs)
  })
  const onAbort = (): void => wake()
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    while (!signal.aborted) {
      if (changed) {
        changed = false
        yield
      } else {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    }
  } finally {
    clearTimeout(timer)
    watcher.close()
    signal.removeEventListener('abort', onAbort)
  }
}
