import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

const programs = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'].map((name) => `/usr/bin/${name}`)

/** A Chromium with its debugging port open on the loopback. */
export interface TestChromium {
  /** `ws://127.0.0.1:…/devtools/browser/…`. */
  readonly url: string
  /** Resolves once it has ended by itself. */
  readonly ended: Promise<unknown>
  /** Ends it at once, as a crash would. */
  kill(): Promise<void>
  stop(): Promise<void>
}

/** Starts a Chromium without any of the switches that would confine its network. With a profile, in that folder, which stays. */
export async function startChromium(extra: readonly string[] = [], profile?: string): Promise<TestChromium> {
  const program = programs.find((file) => existsSync(file))
  if (program === undefined) throw new Error('Chromium is missing. Install it with: apt-get install chromium-headless-shell')
  const folder = profile ?? (await mkdtemp(path.join(tmpdir(), 'browser-test-')))
  const child = spawn(
    program,
    [
      ...['--headless', '--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu', '--no-first-run', '--remote-debugging-port=0'],
      ...[`--user-data-dir=${folder}`, ...extra, 'about:blank'],
    ],
    // A group of its own: Debian’s program is a script that starts the browser.
    { stdio: ['ignore', 'ignore', 'pipe'], detached: true },
  )
  const end = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) {
      const closed = once(child, 'close')
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
      await closed
    }
    if (profile === undefined) await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  try {
    return { url: await addressOf(child), ended: once(child, 'close'), kill: end, stop: end }
  } catch (error) {
    await end()
    throw error
  }
}

async function addressOf(child: ChildProcess): Promise<string> {
  const { stderr } = child
  if (stderr === null) throw new Error('Chromium has no output.')
  return await new Promise<string>((resolve, reject) => {
    let seen = ''
    stderr.setEncoding('utf8').on('data', (text: string) => {
      // What it writes later is not wanted, and must not fill the pipe.
      if (seen.length > 100_000) return
      seen += text
      const found = /DevTools listening on (ws:\S+)/.exec(seen)?.[1]
      if (found !== undefined) resolve(found)
    })
    child.once('exit', () => reject(new Error(`Chromium ended before it listened: ${seen.slice(0, 500)}`)))
  })
}
