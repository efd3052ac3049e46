import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { isMainThread } from 'node:worker_threads'

/**
 * Loaded into the service before everything else (`node --import`): twice a second a line `figures
 * {…}` on the standard output says what the process takes; SIGUSR2 collects garbage first and
 * answers with a line `collected {…}`.
 */

/** What a line says. */
export interface ReportedFigures {
  /** The longest that the event loop was held since the line before, in milliseconds. */
  readonly stallMs: number
  readonly residentMb: number
  /** JavaScript's heap and what is allocated beside it. */
  readonly heapMb: number
  readonly externalMb: number
  /** Connections of any kind. */
  readonly sockets: number
}

const everyMs = 500
const megabytes = (bytes: number): number => Math.round(bytes / 1_048_576)

if (isMainThread) {
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  const report = (word: string): void => {
    const { rss, heapUsed, external } = process.memoryUsage()
    const figures: ReportedFigures = {
      stallMs: delay.max / 1e6,
      residentMb: megabytes(rss),
      heapMb: megabytes(heapUsed),
      externalMb: megabytes(external),
      sockets: process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length,
    }
    delay.reset()
    process.stdout.write(`${word} ${JSON.stringify(figures)}\n`)
  }
  setInterval(report, everyMs, 'figures').unref()
  process.on('SIGUSR2', () => {
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    for (let time = 0; time < 3; time += 1) collect()
    report('collected')
  })
}
