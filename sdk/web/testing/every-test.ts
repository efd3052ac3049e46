import { configure, prettyDOM } from '@testing-library/dom'
import { standInStreamState } from '../api/stream.js'
import { startRouter, takePlace } from '../app/router.js'
import { standInSession } from '../app/session.js'
import { remember } from '../core/storage.js'
import { chooseLanguage } from '../i18n/language.js'
import { forgetShared } from '../query/forget-shared.js'
import { dropConfirmation } from '../ui/dialog.js'
import { clearNotices } from '../ui/notices.js'
import { refuseAll } from './fake-api.js'
import { reportFault, takeFaults, undoAll } from './running-test.js'
import { forgetSavedFiles, keepSavedFiles } from './saved-files.js'
import { resetStandIns } from './stand-ins.js'

/** How long a test waits for what is to be shown; a machine that does much else takes its time. */
const asyncUtilTimeout = 10_000

/** What is announced is not shown, and often is the text of a toast. */
const defaultIgnore = 'script, style, [data-announcements] *'

/** How much of the page stands in an error, in characters. */
const maxShown = 5_000

const { setTimeout: begin, setInterval: repeat } = globalThis

/** Timers of the page that have not run yet: those of a test that has ended would run in the next one. */
const timers = new Set<ReturnType<typeof setTimeout>>()

/** A test of Mocha, as far as it matters here. */
interface MochaTest {
  fn?: (() => unknown) | undefined
  readonly async?: unknown
}

type Hook = (run: (this: { readonly currentTest?: MochaTest }) => void | Promise<void>) => void

/** Prepares the page, and where Mocha runs the tests, what happens before and after each of them. */
export function prepareTests(): void {
  configure({ asyncUtilTimeout, getElementError: elementError, defaultIgnore })
  globalThis.fetch = refuseAll
  globalThis.reportError = reportPageError
  addEventListener('error', ({ error, message }) => reportPageError(error ?? message))
  reportRejections()
  keepTimers()
  keepSavedFiles()
  startRouter()
  const { beforeEach, afterEach } = globalThis as { readonly beforeEach?: Hook; readonly afterEach?: Hook }
  beforeEach?.(function () {
    if (this.currentTest) failWithFaults(this.currentTest)
  })
  afterEach?.(endTest)
}

/**
 * Undoes what the test has begun: what is shown, the fake API, timers, what the browser remembers, the place, the person and the
 * language. Runs by itself after each test of Mocha; other runners call it: `afterEach(endTest)` of `node:test`.
 * @throws an error for what went wrong beside the assertions of the test, such as a request that was not expected
 */
export async function endTest(): Promise<void> {
  undoAll()
  stopTimers()
  // What has been answered already goes on for a moment, and asks for nothing more.
  globalThis.fetch = () => new Promise(() => undefined)
  await new Promise((resolve) => begin(resolve))
  stopTimers()
  globalThis.fetch = refuseAll
  clearNotices()
  forgetShared()
  dropConfirmation()
  resetStandIns()
  forgetSavedFiles()
  document.body.replaceChildren()
  standInStreamState('connecting')
  standInSession(undefined)
  chooseLanguage('en')
  forgetRemembered()
  takePlace('/')
  const faults = takeFaults()
  if (faults.length > 0) throw new Error(faults.join('\n'))
}

const reportPageError = (error: unknown): void =>
  reportFault(`An error was reported: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)

/** What rejects without a handler is an error of the page in a browser. Node tells it, and Mocha leaves it at that. */
function reportRejections(): void {
  const { process } = globalThis as { readonly process?: { on(event: 'unhandledRejection', handle: (reason: unknown) => void): void } }
  process?.on('unhandledRejection', reportPageError)
}

/** What is not found is said with what is there instead. */
function elementError(message: string | null, container: Element): Error {
  const shown = prettyDOM(container, maxShown, { highlight: false })
  return Object.assign(new Error([message, shown].filter(Boolean).join('\n\n')), { name: 'ElementError' })
}

/** The test itself fails, rather than the hook after it, which would end the run. */
function failWithFaults(test: MochaTest): void {
  const { fn } = test
  if (!fn || test.async) return
  test.fn = async function (this: unknown) {
    try {
      await fn.call(this)
    } catch (error) {
      throw withFaults(error, takeFaults())
    }
    const faults = takeFaults()
    if (faults.length > 0) throw new Error(faults.join('\n'))
  }
}

/** The error of a test; what else went wrong is often its cause. */
function withFaults(error: unknown, faults: readonly string[]): unknown {
  if (!(error instanceof Error) || faults.length === 0) return error
  const { message, stack } = error
  error.message = `${faults.join('\n')}\n${message}`
  if (stack !== undefined) error.stack = stack.replace(message, error.message)
  return error
}

function forgetRemembered(): void {
  const prefix = 'console.'
  for (const key of Object.keys(localStorage)) if (key.startsWith(prefix)) remember(key.slice(prefix.length), undefined)
  localStorage.clear()
  sessionStorage.clear()
}

function keepTimers(): void {
  const kept = (timer: ReturnType<typeof begin>): ReturnType<typeof begin> => {
    timers.add(timer)
    return timer
  }
  globalThis.setTimeout = ((...call: Parameters<typeof begin>) => kept(begin(...call))) as typeof begin
  globalThis.setInterval = ((...call: Parameters<typeof repeat>) => kept(repeat(...call))) as typeof repeat
}

function stopTimers(): void {
  for (const timer of timers) clearTimeout(timer)
  timers.clear()
}
