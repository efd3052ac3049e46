import type { SandboxDriver } from '@agent-service/sdk/contracts/sandbox-driver'
import { sandboxDrivers } from '@agent-service/sdk/contracts/sandbox-driver'
import { agentsService } from '@agent-service/sdk/services/agents'
import { type EphemeralTokens, ephemeralTokensService, type TokenFileEnd } from '@agent-service/sdk/services/ephemeral-tokens'
import {
  type Sandbox,
  type SandboxPrincipal,
  type SandboxProcess,
  type SandboxStart,
  sandboxService,
} from '@agent-service/sdk/services/sandbox'
import { type UserFiles, userFilesService } from '@agent-service/sdk/services/user-files'
import { createFakeAgents, createTestContext, type GivenServices, type PluginTestContext, testAccount } from '@agent-service/sdk/testing'
import plugin from '../index.js'
import { createFolderFiles } from './folder-files.js'
import { createOpenDriver, type OpenDriver } from './open-driver.js'

/** The agent of tests. */
export const testPrincipal: SandboxPrincipal = {
  ...{ userId: testAccount.id, userHandle: testAccount.handle },
  ...{ kind: 'agent', id: 'agent-1', handle: 'assistant', workspace: 'assistant' },
}

/** Tokens that a test ends. */
export interface HeldTokens extends EphemeralTokens {
  /** Those that are kept now, by their text. */
  readonly kept: ReadonlyMap<string, { end(why: TokenFileEnd): void; replace(token: string): Promise<void> }>
}

export function createHeldTokens(): HeldTokens {
  const kept = new Map<string, { end(why: TokenFileEnd): void; replace(token: string): Promise<void> }>()
  let count = 0
  return {
    kept,
    issue: () => Promise.reject(new Error('Not in this test.')),
    keepTokenFile: () => Promise.reject(new Error('Not in this test.')),
    revoke: () => Promise.resolve(),
    async keepToken({ userId, actor, replace }, signal) {
      count += 1
      const token = `token-${count}-${userId}-${actor.id}`
      const ended = new Promise<TokenFileEnd>((resolve) => {
        const end = (why: TokenFileEnd): void => {
          kept.delete(token)
          resolve(why)
        }
        kept.set(token, { end, replace })
        signal.addEventListener('abort', () => end('aborted'), { once: true })
      })
      return { token, ended }
    },
  }
}

/** The plugin in a test context, with a driver that runs real processes. */
export interface SandboxUnderTest {
  readonly test: PluginTestContext
  readonly sandbox: Sandbox
  readonly open: OpenDriver
  readonly tokens: HeldTokens
  readonly files: UserFiles
  /** The folder that holds the folders of users. */
  readonly folder: string
  /** Starts `/bin/sh -c script`. */
  shell(script: string, more?: Partial<SandboxStart>, signal?: AbortSignal): Promise<SandboxProcess>
  /** Adds a driver, as another plugin does. */
  addDriver(driver: SandboxDriver, pluginId?: string): void
  stop(): Promise<void>
}

/** Starts the plugin. `driver: undefined`: without a driver. */
export async function startSandbox(
  options: {
    readonly config?: object
    readonly services?: GivenServices
    readonly driver?: OpenDriver | 'none'
    readonly maxBytes?: number
  } = {},
): Promise<SandboxUnderTest> {
  const open = options.driver === undefined || options.driver === 'none' ? createOpenDriver() : options.driver
  const { files, folder, remove } = await createFolderFiles()
  const tokens = createHeldTokens()
  const services: GivenServices = [
    [userFilesService, options.maxBytes === undefined ? files : { ...files, maxBytes: options.maxBytes }],
    [ephemeralTokensService, tokens],
    [agentsService, createFakeAgents()],
    ...(options.services ?? []),
  ]
  const test = createTestContext(plugin, { config: { sandbox: options.config ?? {} }, services })
  const addDriver = (driver: SandboxDriver, pluginId?: string): void => test.services.contributions.add(sandboxDrivers, driver, pluginId)
  if (options.driver !== 'none') addDriver(open.driver)
  await test.setup()
  const sandbox = test.provided(sandboxService)
  if (sandbox === undefined) throw new Error('The plugin does not provide the sandbox.')
  return {
    ...{ test, sandbox, open, tokens, files, folder, addDriver },
    shell: (script, more = {}, signal = new AbortController().signal) =>
      sandbox.start({ principal: testPrincipal, kind: 'shell', title: 'a test', command: ['/bin/sh', '-c', script], ...more }, { signal }),
    async stop() {
      await test.dispose()
      await remove()
    },
  }
}

/** The whole output of a process, as text. */
export async function textOf(process: SandboxProcess): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const { bytes } of process.output()) text += decoder.decode(bytes, { stream: true })
  return text
}
