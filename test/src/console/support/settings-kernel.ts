import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import type { Page } from 'playwright-core'

export const ada = { username: 'ada', password: 'a long enough password' }

export const written = `server:
  sse_pending_events_secs: 300
  timezone: Europe/Oslo # where we are
providers:
  work:
    provider: openai
    api_key: \${WORK_KEY}
    base_url: https://models.example.org
models:
  primary:
    provider: work
    model: large
    api: completions
    temperature: 0.7
    extra_params:
      temperature: 0.2
sso:
  client_secret: canary-of-the-file
`

/** A kernel with a configuration file that a test may read and write. */
export interface SettingsKernel {
  readonly kernel: TestKernel
  readonly file: string
  read(): Promise<string>
  write(text: string): Promise<void>
  stop(): Promise<void>
}

export async function startSettingsKernel(environment: Readonly<Record<string, string>> = {}): Promise<SettingsKernel> {
  const folder = await mkdtemp(path.join(tmpdir(), 'agent-service-settings-'))
  const file = path.join(folder, 'data', 'config.yaml')
  await mkdir(path.dirname(file), { recursive: true })
  await writeFile(file, written)
  const kernel = await createTestKernel({
    folder,
    registration: 'as-configured',
    environment: { WORK_KEY: 'canary-of-the-variable', ...environment },
  })
  return {
    kernel,
    file,
    read: () => readFile(file, 'utf8'),
    write: (text) => writeFile(file, text),
    async stop() {
      await kernel.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** The line of a setting in the editor. */
export const lineOf = (page: Page, setting: string) => page.locator(`[data-path="${setting}"]`)

/** Saves a change as another administrator would. Resolves to the status. */
export const saveElsewhere = (page: Page, set: Readonly<Record<string, unknown>>): Promise<number> =>
  page.evaluate(async (values) => {
    const { revision } = (await (await fetch('/api/admin/config')).json()) as { readonly revision: string }
    const answer = await fetch('/api/admin/config', {
      method: 'PATCH',
      headers: { 'content-type': 'application/json', 'if-match': `"${revision}"` },
      body: JSON.stringify({ set: values }),
    })
    return answer.status
  }, set)

/** Waits until the focus is in the field of a setting. */
export async function untilFocused(page: Page, setting: string): Promise<void> {
  await lineOf(page, setting).and(page.locator(':focus-within')).waitFor()
}

/**
 * The complaints of a page but those in which the browser itself reports a refused request: signing
 * in tries to register first.
 */
export const unexpected = (complaints: readonly string[], refused = /409/): readonly string[] =>
  complaints.filter((text) => !/409/.test(text) && !refused.test(text))
