import { expect } from 'chai'
import { compileSnippets } from './compile-snippets.test.js'

const head = `import { definePlugin, defineServiceReference, type PluginContext, type Static, Type } from '@agent-service/sdk'
import { defineTool, tools } from '@agent-service/sdk/contracts/tool'
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
  'a text as the answer, a purpose and a question': withTool(
    `purpose: ({ count }) => 'Do ' + count.toFixed(), asks: ({ count }) => ({ question: String(count) }), execute: (_, { answer }) => answer ?? ''`,
  ),
  'defaults of the other points': `${head}
    export const job = defineJob({ id: 'x.tidy', everySeconds: 60, run: async ({ signal }) => signal.throwIfAborted() })
    export const command = defineCommand({ name: 'x', summary: 'Does x', run: async ({ print }) => { await print('x'); return { status: 0 } } })
    void schedulerJobs`,
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
  let problems: Readonly<Record<string, readonly string[]>>
  const nameOf = (title: string): string => `${title.replaceAll(/\W+/g, '-')}.ts`

  before(() => {
    const texts = [...Object.entries(accepted), ...Object.entries(refused).map(([title, [text]]) => [title, text] as const)]
    problems = compileSnippets(Object.fromEntries(texts.map(([title, text]) => [nameOf(title), text])))
  })

  for (const title of Object.keys(accepted)) {
    it(`accept ${title}`, () => {
      expect(problems[nameOf(title)]).to.deep.equal([])
    })
  }
  for (const [title, [, message]] of Object.entries(refused)) {
    it(`refuse ${title}`, () => {
      expect(problems[nameOf(title)]?.join('\n')).to.match(message)
    })
  }
})
