import { expect } from 'chai'
import { compileSnippets } from './compile-snippets.test.js'
import { isWebModule, type PublicName, readPublicNames } from './public-names.test.js'

/** What the examples of doc comments use without saying where it is from. What an example declares itself is left out. */
const standIns = `
import assert from 'node:assert/strict'
declare const context: import('@agent-service/sdk').PluginContext
declare const plugin: import('@agent-service/sdk').Plugin
declare const signal: AbortSignal
declare const userId: string
declare const chatId: string
declare const createTool: () => import('@agent-service/sdk/contracts/tool').Tool
declare const createAddToList: (list: string[]) => import('@agent-service/sdk/contracts/tool').Tool
declare const createSource: () => import('@agent-service/sdk/contracts/tool-source').ToolSource
declare const createRoute: () => import('@agent-service/sdk/contracts/http-route').HttpRoute
declare const createSocket: () => import('@agent-service/sdk/contracts/websocket-route').WebSocketRoute
declare const createJob: () => import('@agent-service/sdk/contracts/scheduler-job').SchedulerJob
declare const createPrune: (visits: Set<string>) => import('@agent-service/sdk/contracts/scheduler-job').SchedulerJob
declare const sendTheParcel: () => Promise<void>
declare const createCommand: () => import('@agent-service/sdk/contracts/cli-command').CliCommand
declare const createSection: () => import('@agent-service/sdk/contracts/agent-prompt-section').AgentPromptSection
declare const createHook: () => import('@agent-service/sdk/contracts/agent-run-hook').AgentRunHook
declare const createAdapter: () => import('@agent-service/sdk/contracts/provider-adapter').ProviderAdapter
declare const startScriptedServer: import('@agent-service/sdk/testing').ProviderAdapterSuiteOptions['upstream']
declare const requestAt: (baseUrl: string) => import('@agent-service/sdk/contracts/provider-adapter').ModelRequest
declare const wire: import('@agent-service/sdk/testing').FaultWire
`

/** The same for examples of the kit of screens. */
const webStandIns = `
import { createSignal, For, type JSX, Match, onCleanup, Show, Switch } from 'solid-js'
import { expect } from 'chai'
interface Roll { readonly id: string; readonly name: string }
interface RollPage { readonly items: readonly Roll[]; readonly next_cursor: string | null }
interface DiceList { parameters: { query?: { limit?: number; cursor?: string; search?: string } }; responses: { 200: { content: { 'application/json': RollPage } } } }
interface DiceAdd { requestBody: { content: { 'application/json': { name: string } } }; responses: { 201: { content: { 'application/json': Roll } } } }
interface DiceRules { responses: { 200: { content: { 'application/json': { sides: number } } } } }
interface DicePaths { '/api/plugins/tool-dice/rolls': { get: DiceList; post: DiceAdd; delete: { responses: { 204: object } } }; '/api/plugins/tool-dice/rolls/{id}': { delete: { parameters: { path: { id: string } }; responses: { 204: object } } }; '/api/plugins/tool-dice/rules': { get: DiceRules } }
declare const Rolls: () => JSX.Element
declare const Roll: (props: { readonly id: string }) => JSX.Element
declare const Adding: () => JSX.Element
declare const createQuery: import('@agent-service/sdk/web').Queries['createQuery']
declare const createPagedQuery: import('@agent-service/sdk/web').Queries['createPagedQuery']
declare const sharedQuery: import('@agent-service/sdk/web').Queries['sharedQuery']
declare const invalidate: import('@agent-service/sdk/web').Queries['invalidate']
declare const form: import('@agent-service/sdk/web/forms').Form<{ readonly name: string }>
declare const id: string
declare const start: () => void
declare const api: import('@agent-service/sdk/web').Api<DicePaths>
declare const t: (key: string, values?: import('@agent-service/sdk/web').MessageValues) => string
declare const readRolls: (cursor: string | undefined) => Promise<RollPage>
declare const list: import('@agent-service/sdk/web').PagedQuery<Roll>
declare const roll: Roll
declare const error: unknown
declare const isSaving: () => boolean
declare const save: (value?: unknown) => Promise<void>
declare const restore: () => Promise<void>
`

interface Example {
  /** `@agent-service/sdk#definePlugin`. */
  readonly title: string
  readonly file: string
  readonly text: string
}

/** An example with the imports that it needs, as an editor would add them. */
function toModule(text: string, owner: string, names: readonly PublicName[]): string {
  const isWeb = isWebModule(owner)
  const words = new Set(text.match(/(?<![.\w])[A-Za-z]\w*/g))
  const isDeclared = (name: string): boolean => new RegExp(`\\b(?:const|interface|type|function) (?:\\{[^}]*\\b)?${name}\\b`).test(text)
  const byName = new Map<string, PublicName>()
  for (const each of names.filter(({ module }) => isWebModule(module) === isWeb)) {
    const isNearer = each.module === owner || !byName.has(each.name)
    if (words.has(each.name) && !isDeclared(each.name) && isNearer) byName.set(each.name, each)
  }
  const imports = [...byName.values()].map(({ name, module, isType }) => `import ${isType ? 'type ' : ''}{ ${name} } from '${module}'`)
  const isNeeded = (line: string): boolean => {
    const name = /^declare const (\w+)/.exec(line)?.[1]
    return name === undefined || !isDeclared(name)
  }
  const needed = (isWeb ? webStandIns : standIns).split('\n').filter(isNeeded)
  return [...imports, ...needed, besideModules(text), 'export {}'].join('\n')
}

/** A module that stands beside an example of a screen (`import('./chart.js')`) is a stand-in too. */
const besideModules = (text: string): string => text.replaceAll(/import\('\.\/[^']+'\)/g, '(Promise.resolve({}) as Promise<any>)')

const needsExample = ({ name, module }: PublicName): boolean =>
  isWebModule(module)
    ? /^(?:define|create|add)[A-Z]/.test(name) || firstOfScreens.has(name)
    : /^(?:define[A-Z]|createTestContext$)/.test(name) || (module.endsWith('/testing') && /^describe[A-Z]/.test(name))

/** What screens begin with, beside what they define, create and add. */
const firstOfScreens: ReadonlySet<string> = new Set([
  ...['Button', 'Dialog', 'FormDialog', 'Page', 'PagedRows', 'SchemaForm', 'TextField'],
  ...['confirmAction', 'lazyPart', 'loadPart', 'navigate', 'openDialog', 'showToast', 'useCommands', 'whileVisible'],
])

describe('the examples of doc comments', function () {
  this.timeout(120_000)
  let names: readonly PublicName[]
  before(() => {
    names = readPublicNames()
  })

  it('are there for what authors call first, and for every service', () => {
    const services = new Set(names.flatMap(({ serviceType }) => serviceType ?? []))
    expect(services).to.include('Runs').and.include('Database')
    const wanted = names.filter(
      (each) => !each.module.endsWith('/host') && (needsExample(each) || (each.isType && services.has(each.name))),
    )
    expect(wanted).to.have.length.above(40)
    expect(wanted.filter(({ examples }) => examples.length === 0).map(({ module, name }) => `${module}#${name}`)).to.deep.equal([])
  })

  it('type-check', () => {
    const examples = names.flatMap(({ module, name, examples: texts }) =>
      texts.map((text, index): Example => {
        const file = `${module.replaceAll(/[^a-z-]+/g, '_')}_${name}_${index}.${isWebModule(module) ? 'tsx' : 'ts'}`
        return { title: `${module}#${name}`, file, text: toModule(text, module, names) }
      }),
    )
    expect(examples).to.have.length.above(40)
    const problems = compileSnippets(Object.fromEntries(examples.map(({ file, text }) => [file, text])))
    expect(examples.flatMap(({ title, file }) => (problems[file] ?? []).map((problem) => `${title}: ${problem}`))).to.deep.equal([])
  })
})
