import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'

/** Where screenshots are kept; git ignores it. */
export const artefacts: string = fileURLToPath(new URL('../../../.cache/console/', import.meta.url))

const axeFile = createRequire(import.meta.url).resolve('axe-core/axe.min.js')
/** Leads to this machine in the browser of the tests, as the name of a machine in the local network. */
export const networkHost = 'host.test'
/** The headless shell first: its pages take a quarter less of a processor. */
const browsers = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'].map((name) => `/usr/bin/${name}`)
const executablePath = browsers.find((file) => existsSync(file))

let shared: Promise<Browser> | undefined

/** The browser of this process, started with the first page. */
const browser = (): Promise<Browser> => {
  if (executablePath === undefined) throw new Error('Chromium is missing. Install it with: apt-get install chromium-headless-shell')
  shared ??= chromium.launch({
    executablePath,
    // A name in the local network: pages over plain http are no secure context there.
    args: ['--no-sandbox', '--disable-dev-shm-usage', `--host-resolver-rules=MAP ${networkHost} 127.0.0.1`],
  })
  return shared
}

async function endBrowser(): Promise<void> {
  const open = await shared
  shared = undefined
  await open?.close()
}

/** Mocha's, in a test run: the browser then serves every file of the process, and ends after them. */
const { after: afterAll } = globalThis as { readonly after?: (end: () => Promise<void>) => void }
afterAll?.(endBrowser)

/** Closes every page, and without a test run the browser; call it after the last test of a file. */
export async function closeBrowser(): Promise<void> {
  if (afterAll === undefined) return endBrowser()
  const open = await shared
  await Promise.all((open?.contexts() ?? []).map((context) => context.close()))
}

export const widths = { phone: { width: 360, height: 740 }, wide: { width: 1440, height: 900 } } as const
export const looks = [
  { theme: 'light', size: 'wide' },
  { theme: 'dark', size: 'wide' },
  { theme: 'light', size: 'phone' },
  { theme: 'dark', size: 'phone' },
] as const
export type Look = (typeof looks)[number]

/** The gate makes do with the look in which most is in the way, a whole run with two, which have both themes and both widths. */
const chosen: Readonly<Record<string, readonly Look[]>> = { one: [looks[3]], two: [looks[0], looks[3]] }
const inspected: readonly Look[] = chosen[process.env['CONSOLE_LOOKS'] ?? ''] ?? looks

/** What the browser itself writes for an answer that refuses a request. */
export const refusalReport = (status: number, reason: string): string =>
  `error: Failed to load resource: the server responded with a status of ${status} (${reason})`

export interface ConsolePage {
  readonly page: Page
  readonly context: BrowserContext
  /** What the page wrote as errors or warnings, and errors that were not caught. Empty in a good run. */
  readonly complaints: readonly string[]
  /** Goes to a path of the console and waits until its heading is there. */
  open(target: string): Promise<void>
  /**
   * In both themes, wide and at 360 px: checks with axe-core (nothing serious or critical) and that
   * nothing scrolls sideways, and keeps screenshots under the name; with `CONSOLE_LOOKS=two`, wide
   * in light and at 360 px in dark, with `one` only the latter, without screenshots. Returns the problems found.
   */
  inspect(name: string): Promise<readonly string[]>
  close(): Promise<void>
}

/**
 * Opens the console of a kernel in a context of its own. `credentials` registers and signs in, as
 * the administrator if there is no account yet; `confirmed`: and confirms who it is, so that nothing
 * asks for that.
 */
export async function openPage(
  kernel: { readonly url: string },
  options: {
    readonly credentials?: { readonly username: string; readonly password: string }
    readonly confirmed?: boolean
    readonly locale?: string
    readonly look?: Look
    /**
     * The service trusts this machine as a proxy: each request to an account route comes from an address of
     * its own, so that the limit of these routes does not answer first. The first account is not made here.
     */
    readonly trustedProxy?: boolean
    /** Whether `/` is opened after signing in (it is), or nothing, since the test opens a path itself. */
    readonly at?: '/' | 'none'
  } = {},
): Promise<ConsolePage> {
  const { theme, size } = options.look ?? looks[0]
  const context = await (await browser()).newContext({
    baseURL: kernel.url,
    locale: options.locale ?? 'en-GB',
    timezoneId: 'Europe/Berlin',
    colorScheme: theme,
    reducedMotion: 'reduce',
    viewport: widths[size],
  })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(`${message.type()}: ${message.text()}`)
  })
  page.on('pageerror', (error) => complaints.push(`uncaught: ${error.message}`))
  const opened: ConsolePage = {
    page,
    context,
    complaints,
    async open(target) {
      await page.goto(target)
      await page.locator('h1').first().waitFor()
    },
    inspect: (name) => inspect(page, name),
    close: () => context.close(),
  }
  if (options.trustedProxy)
    await context.route('**/api/auth/**', async (route) => {
      await route.continue({ headers: { ...(await route.request().allHeaders()), ...newAddress() } })
    })
  if (options.credentials) await signIn(opened, options.credentials, options.trustedProxy ? newAddress : () => ({}))
  if (options.credentials && options.confirmed) {
    const { password } = options.credentials
    const answer = await context.request.post('/api/auth/confirm', { data: { password } })
    if (!answer.ok()) throw new Error(`Confirming was answered with ${answer.status()}.`)
  }
  if (options.credentials && options.at !== 'none') await enter(page)
  return opened
}

/** Over the API, beside the page: quicker than typing, and the browser keeps the cookie. */
async function signIn(
  { context }: ConsolePage,
  data: { readonly username: string; readonly password: string },
  addressOf: () => Readonly<Record<string, string>>,
): Promise<void> {
  const registered = await context.request.post('/api/auth/register', { data, headers: addressOf() })
  const answer = registered.ok() ? registered : await context.request.post('/api/auth/login', { data, headers: addressOf() })
  if (!answer.ok()) throw new Error(`Signing in was answered with ${answer.status()}.`)
}

let addresses = 0

/** What a proxy says of a client that was not here before. */
function newAddress(): { readonly 'x-forwarded-for': string } {
  addresses += 1
  return { 'x-forwarded-for': `198.18.${(addresses >> 8) & 255}.${addresses & 255}` }
}

async function enter(page: Page): Promise<void> {
  await page.goto('/')
  await page.locator('nav.side').waitFor({ state: 'attached' })
}

async function inspect(page: Page, name: string): Promise<readonly string[]> {
  if (inspected === looks) await mkdir(artefacts, { recursive: true })
  const problems: string[] = []
  const before = page.viewportSize()
  for (const { theme, size } of inspected) {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
    await page.setViewportSize(widths[size])
    const look = `${name}-${size}-${theme}`
    if (inspected === looks) await writeFile(path.join(artefacts, `${look}.png`), await page.screenshot({ animations: 'disabled' }))
    else await endAnimations(page)
    const isRepeated = inspected.some((other) => other.size === size && other.theme === 'light' && theme === 'dark')
    for (const problem of await accessibilityProblems(page, isRepeated)) problems.push(`${look}: ${problem}`)
    const overflow = Number(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth'))
    if (overflow > 0) problems.push(`${look}: scrolls sideways by ${overflow} px`)
  }
  if (before) await page.setViewportSize(before)
  await page.emulateMedia({ colorScheme: 'light' })
  return problems
}

/** As a screenshot does: what fades in or changes its colour has done so before it is judged. */
const endAnimations = (page: Page): Promise<unknown> =>
  page.evaluate(
    'document.getAnimations().filter((each) => Number.isFinite(each.effect.getComputedTiming().endTime)).map((each) => void each.finish())',
  )

/** The rules whose violations are never serious, switched off: their findings would be left out anyway. */
const mildRules = `Object.fromEntries(
  axe._audit.rules.filter(({ impact }) => ['minor', 'moderate'].includes(impact)).map(({ id }) => [id, { enabled: false }]),
)`

interface AxeResult {
  readonly violations: readonly {
    readonly id: string
    readonly impact: string | null
    readonly help: string
    readonly nodes: readonly { readonly target: readonly unknown[]; readonly failureSummary?: string }[]
  }[]
}

/**
 * What axe-core calls serious or critical. The dark theme has the elements of the light one in other
 * colours, so that only the contrast is judged again after it.
 */
async function accessibilityProblems(page: Page, isRepeated: boolean): Promise<readonly string[]> {
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(await readFile(axeFile, 'utf8'))
  // A page of another origin has no axe in it, and would only be sent messages that it cannot read.
  const rules = await page.evaluate(mildRules)
  const options = {
    preload: false,
    iframes: false,
    rules,
    resultTypes: ['violations'],
    ...(isRepeated ? { runOnly: ['color-contrast'] } : {}),
  }
  const result = (await page.evaluate(`axe.run(${JSON.stringify(options)})`)) as AxeResult
  return result.violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, help, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id} (${help}): ${target.join(' ')} ${failureSummary ?? ''}`),
    )
}
