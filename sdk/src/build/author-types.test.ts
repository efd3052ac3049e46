import { expect } from 'chai'
import { compileSnippets, countInstantiations } from './compile-snippets.test.js'

const head = `import { definePlugin, defineServiceReference, type PluginContext, type Static, Type } from '@agent-service/sdk'
import { defineTool, tools } from '@agent-service/sdk/contracts/tool'
import { defineRoute, httpRoutes } from '@agent-service/sdk/contracts/http-route'
import { defineWebSocketRoute } from '@agent-service/sdk/contracts/websocket-route'
import { defineCommand } from '@agent-service/sdk/contracts/cli-command'
import { defineJob, schedulerJobs } from '@agent-service/sdk/contracts/scheduler-job'
import { clockService } from '@agent-service/sdk/services/clock'
import { type Telemetry, telemetryService } from '@agent-service/sdk/services/telemetry'
import { type Inference, inferenceService } from '@agent-service/sdk/services/inference'
`
const withSetup = (manifest: string, setup: string): string =>
  `${head}export default definePlugin({ manifest: { id: 'tool-x', apiVersion: 1, ${manifest} }, setup(context) {\n${setup}\n} })`
const withTool = (members: string): string =>
  `${head}export const tool = defineTool({ name: 'x', description: 'Does x.', parameters: Type.Object({ count: Type.Integer() }), ${members} })`
const withRoute = (handle: string): string => `${head}export const route = defineRoute({
  method: 'POST', path: '/api/plugins/tool-x/{id}', operationId: 'toolXAdd', summary: 'Adds', auth: 'user',
  params: Type.Object({ id: Type.String() }), query: Type.Object({ times: Type.Optional(Type.Integer()) }),
  body: { kind: 'json', schema: Type.Object({ text: Type.String() }) }, answers: { 204: { description: 'Added.' } },
  async handle({ params, query, body }) { ${handle}; return { status: 204, kind: 'empty' } } })`
const withSocket = (handle: string): string => `${head}export const route = defineWebSocketRoute({
  path: '/api/plugins/tool-x/play', operationId: 'toolXPlay', summary: 'Plays', auth: 'user', query: Type.Object({ seed: Type.Integer() }),
  messages: { kind: 'json', inbound: Type.Object({ sides: Type.Integer() }), outbound: Type.Object({ rolled: Type.Integer() }) },
  async handle({ request, messages, send }) { ${handle} } })`
/** A module of a screen, with a client of two routes. */
const withClient = (code: string): string => `import { createApi, createEvents, defineMessages, Button } from '@agent-service/sdk/web'
interface Paths {
  '/api/plugins/tool-x/dice': { get: { parameters: { query?: { limit?: number } }; responses: { 200: { content: { 'application/json': { sides: number } } } } } }
  '/api/plugins/tool-x/dice/{id}': { delete: { parameters: { path: { id: string } }; responses: { 204: object } } }
}
const api = createApi<Paths>()
const onEvent = createEvents<{ readonly event: 'tool-x.rolled'; readonly data: { readonly eyes: number } } | { readonly event: 'reset'; readonly data: unknown }>()
${code}
void [api, onEvent, defineMessages, Button]`
/** True where two types are the same, not only assignable. */
const same = 'type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false; '

/** A plugin of every part that is typed by a schema. */
const wholePlugin = withSetup(
  `contributes: ['tool', 'http.route', 'scheduler.job'], config: Type.Object({ sides: Type.Integer({ default: 6 }) })`,
  `context.contribute(tools, defineTool({ name: 'x', description: 'Does x.', parameters: Type.Object({ count: Type.Integer() }),
     execute: async ({ count }) => ({ json: { rolled: count * context.config.sides } }) }))
   context.contribute(httpRoutes, defineRoute({
     method: 'POST', path: '/api/plugins/tool-x/{id}', operationId: 'toolXAdd', summary: 'Adds', auth: 'user',
     params: Type.Object({ id: Type.String() }), query: Type.Object({ times: Type.Integer() }),
     body: { kind: 'json', schema: Type.Object({ text: Type.String() }) }, answers: { 200: { description: 'Added.' } },
     handle: async ({ params, query, body }) => ({ status: 200, kind: 'json', json: { text: params.id + body.text.repeat(query.times) } }) }))
   context.contribute(schedulerJobs, defineJob({ id: 'x.tidy', everySeconds: 60, run: async () => undefined }))`,
)

const accepted: Readonly<Record<string, string>> = {
  'what the manifest lists': withSetup(
    `contributes: ['tool'], provides: ['telemetry'], requires: ['inference']`,
    `const inference: Inference = context.use(inferenceService)
     context.contribute(tools, defineTool({ name: 'x', description: 'Does x.', parameters: Type.Object({}), execute: () => 'done' }))
     context.provide(telemetryService, {} as Telemetry); context.use(clockService).now(); void inference`,
  ),
  'an optional service, which may be absent': withSetup(
    `optional: ['telemetry']`,
    `const telemetry: Telemetry | undefined = context.use(telemetryService); void telemetry?.exporting`,
  ),
  'a reference whose id the compiler does not know': withSetup(
    ``,
    `const name: string = 'others'
     const value: number = context.use(defineServiceReference<number>(name)); void value`,
  ),
  'a function that takes the context of any plugin': withSetup(
    `requires: ['inference'], optional: ['telemetry'], contributes: ['tool'], config: Type.Object({ sides: Type.Integer() })`,
    `const help = (any: PluginContext<{ readonly sides: number }>): number => any.config.sides
     help(context)`,
  ),
  'the input by its schema': withTool(`execute: async ({ count }, { callId }) => ({ json: { doubled: count * 2, callId } })`),
  'the configuration, exactly': withSetup(
    `config: Type.Object({ sides: Type.Integer(), mark: Type.Optional(Type.String()) })`,
    `${same} const exact: Same<typeof context.config, { sides: number; mark?: string }> = true; void exact`,
  ),
  'the configuration of several sections': withSetup(
    `sections: { dice: Type.Object({ sides: Type.Integer() }) }`,
    `${same} const exact: Same<typeof context.config.dice, { sides: number }> = true; void exact`,
  ),
  'the input of a tool, exactly': withTool(
    `execute: (input) => { ${same} const exact: Same<typeof input, { count: number }> = true; void exact; return '' }`,
  ),
  'the parameters, the query and the body of a route, exactly': withRoute(
    `${same} const exact: [Same<typeof params, { id: string }>, Same<typeof query, { times?: number }>, Same<typeof body, { text: string }>] = [true, true, true]; void exact`,
  ),
  'the query and the messages of a WebSocket': withSocket(
    `for await (const { json } of messages) await send({ kind: 'json', json: { rolled: json.sides * request.query.seed } })`,
  ),
  'a text as the answer, a purpose and a question': withTool(
    `purpose: ({ count }) => 'Do ' + count.toFixed(), asks: ({ count }) => ({ question: String(count) }), execute: (_, { answer }) => answer ?? ''`,
  ),
  'defaults of the other points': `${head}
    export const job = defineJob({ id: 'x.tidy', everySeconds: 60, run: async ({ signal }) => signal.throwIfAborted() })
    export const command = defineCommand({ name: 'x', summary: 'Does x', run: async ({ print }) => { await print('x'); return { status: 0 } } })
    void schedulerJobs`,
}

const acceptedScreens: Readonly<Record<string, string>> = {
  'the answer of a route, exactly': withClient(
    `${same} const read = async () => { const answer = await api.get('/api/plugins/tool-x/dice', { query: { limit: 1 } }); const exact: Same<typeof answer, { sides: number }> = true; void exact }; void read`,
  ),
  'an answer without a body': withClient(
    `const remove = (id: string): Promise<undefined> => api.delete('/api/plugins/tool-x/dice/{id}', { path: { id } }); void remove`,
  ),
  'the data of an event': withClient(`const stop: () => void = onEvent('tool-x.rolled', ({ data }) => data.eyes.toFixed()); stop()`),
  'a component': withClient(`export const view = () => <Button kind="main" icon="plus">Roll</Button>`),
}

const refusedScreens: Readonly<Record<string, readonly [string, RegExp]>> = {
  'a route that the area does not have': [
    withClient(`void api.get('/api/plugins/tool-x/cards')`),
    /is not assignable to parameter of type/,
  ],
  'a method that the route does not have': [
    withClient(`void api.post('/api/plugins/tool-x/dice')`),
    /is not assignable to parameter of type/,
  ],
  'a path without its parameters': [withClient(`void api.delete('/api/plugins/tool-x/dice/{id}')`), /Expected 2 arguments, but got 1/],
  'a query that the operation does not have': [
    withClient(`void api.get('/api/plugins/tool-x/dice', { query: { often: true } })`),
    /'often' does not exist/,
  ],
  'an event that the area does not have': [withClient(`onEvent('tool-x.lost', () => undefined)`), /"tool-x.lost"' is not assignable/],
  'a text without its German': [withClient(`defineMessages({ en: { a: 'A', b: 'B' }, de: { a: 'A' } })`), /Property 'b' is missing/],
  'an icon that the console does not have': [
    withClient(`export const view = () => <Button icon="dodecahedron">Roll</Button>`),
    /"dodecahedron"' is not assignable/,
  ],
  'the types of Node': [withClient(`process.exit()`), /Cannot find name 'process'/],
}

const refused: Readonly<Record<string, readonly [string, RegExp]>> = {
  'a point that is not listed': [
    withSetup(`contributes: ['http.route']`, `context.contribute(tools, {} as never)`),
    /Add “tool” to “contributes” of the manifest/,
  ],
  'a point where nothing is listed': [withSetup('', `context.contribute(tools, {} as never)`), /Add “tool” to “contributes”/],
  'a service that is not listed': [
    withSetup(`requires: ['telemetry']`, `context.use(inferenceService)`),
    /Add “inference” to “requires” or “optional” of the manifest/,
  ],
  'a service that is not provided': [
    withSetup(`requires: ['telemetry']`, `context.provide(telemetryService, {} as Telemetry)`),
    /Add “telemetry” to “provides” of the manifest/,
  ],
  'an optional service taken for granted': [
    withSetup(`optional: ['telemetry']`, `const telemetry: Telemetry = context.use(telemetryService); void telemetry`),
    /Type 'Telemetry \| undefined' is not assignable to type 'Telemetry'/,
  ],
  'an unknown member of the manifest': [withSetup(`contribute: ['tool']`, ''), /“contribute” is not a member of a manifest/],
  'an unknown member of the definition': [
    `${head}export default definePlugin({ manifest: { id: 'x', apiVersion: 1 }, setup() {}, teardown() {} })`,
    /'teardown' does not exist in type 'PluginDefinition/,
  ],
  'another generation of the plugin API': [
    `${head}export default definePlugin({ manifest: { id: 'x', apiVersion: 99 }, setup() {} })`,
    /Type '99' is not assignable to type '1'/,
  ],
  'a setting that the configuration does not have': [
    withSetup(`config: Type.Object({ sides: Type.Integer() })`, `context.config.corners`),
    /Property 'corners' does not exist/,
  ],
  'an unknown member of a tool': [withTool(`execute: () => '', timeout: 5`), /'timeout' does not exist in type 'ToolDefinition/],
  'an unknown member of what is contributed': [
    withSetup(
      `contributes: ['scheduler.job']`,
      `context.contribute(schedulerJobs, { specVersion: 1, id: 'x.y', title: 'x', everySeconds: 1, run: async () => {}, every: 1 })`,
    ),
    /'every' does not exist in type 'SchedulerJob'/,
  ],
  'an input that the parameters do not have': [withTool(`execute: ({ sides }) => String(sides)`), /Property 'sides' does not exist/],
  'a query that the route does not have': [withRoute(`void query.often`), /Property 'often' does not exist/],
  'a member that the body does not have': [withRoute(`void body.words`), /Property 'words' does not exist/],
  'a message that the route does not send': [
    withSocket(`void messages; void request; await send({ kind: 'json', json: { rolled: 'six' } })`),
    /Type 'string' is not assignable to type 'number'/,
  ],
  'a handler of another body': [
    `${head}const handle = async (_: { readonly body: { readonly words: string } }) => ({ status: 204, kind: 'empty' } as const)
     export const route = defineRoute({ method: 'POST', path: '/api/plugins/tool-x/a', operationId: 'toolXA', summary: 'A', auth: 'user',
     body: { kind: 'json', schema: Type.Object({ text: Type.String() }) }, answers: { 204: { description: 'A.' } }, handle })`,
    /Property 'words' is missing in type/,
  ],
  'a question asked asynchronously': [
    withTool(`asks: async () => ({ question: 'x' }), execute: () => ''`),
    /Type 'Promise<.*is not assignable to type 'ToolQuestion'|Property 'question' is missing in type 'Promise/s,
  ],
  'an answer that is not plain data': [
    withTool(`execute: () => new Date()`),
    /Type 'Date' is not assignable|not assignable to type 'ToolAnswer/,
  ],
}

describe('the types of the author’s API', function () {
  this.timeout(120_000)
  describeVerdicts(accepted, refused, '.ts')

  // It was 1,350,000 where the compiler compared all schemas that there could be.
  it('cost the compiler of a plugin little', () => {
    expect(countInstantiations(wholePlugin)).to.be.lessThan(20_000)
  })
})

describe('the types of the kit of screens', function () {
  this.timeout(120_000)
  describeVerdicts(acceptedScreens, refusedScreens, '.tsx')

  it('know the keys of catalogues: accept one that all languages have, refuse others', () => {
    const english = { title: 'Rolls', lead: 'All rolls' }
    expect(catalogueProblems(english, { title: 'Würfe', lead: 'Alle' }, 'lead')).to.equal('')
    expect(catalogueProblems(english, { title: 'Würfe' }, 'title')).to.match(/Property 'lead' is missing/)
    expect(catalogueProblems(english, { title: 'Würfe', lead: 'Alle' }, 'unknown')).to.match(/"unknown"' is not assignable/)
  })
})

/** What the compiler says of a module that takes a key of a group in two languages. */
function catalogueProblems(english: object, german: object, key: string): string {
  const use = `import { defineMessages } from '@agent-service/sdk/web'
import { rolls as de } from './texts/de.json'
import { rolls as en } from './texts/en.json'
export const t = defineMessages({ en, de })
export const text: string = t('${key}')`
  const catalogue = (rolls: object): string => JSON.stringify({ rolls })
  const files = { 'web/texts/en.json': catalogue(english), 'web/texts/de.json': catalogue(german), 'web/use.ts': use }
  return compileSnippets(files)['web/use.ts']?.join('\n') ?? 'not compiled'
}

/** Says what the compiler is to accept and to refuse, all checked in one run of it. */
function describeVerdicts(
  good: Readonly<Record<string, string>>,
  bad: Readonly<Record<string, readonly [text: string, message: RegExp]>>,
  ending: '.ts' | '.tsx',
): void {
  let problems: Readonly<Record<string, readonly string[]>>
  const nameOf = (title: string): string => `${title.replaceAll(/\W+/g, '-')}${ending}`

  before(() => {
    const texts = [...Object.entries(good), ...Object.entries(bad).map(([title, [text]]) => [title, text] as const)]
    problems = compileSnippets(Object.fromEntries(texts.map(([title, text]) => [nameOf(title), text])))
  })

  for (const title of Object.keys(good)) {
    it(`accept ${title}`, () => {
      expect(problems[nameOf(title)]).to.deep.equal([])
    })
  }
  for (const [title, [, message]] of Object.entries(bad)) {
    it(`refuse ${title}`, () => {
      expect(problems[nameOf(title)]?.join('\n')).to.match(message)
    })
  }
}
