import { Type } from '../../core/type.js'
import { contributionChecks } from './index.js'

/** What the check of a point finds, each problem as a line. */
export const problemsOf = (point: string, contribution: unknown): readonly string[] =>
  (contributionChecks.get(point)?.(contribution) ?? ['no check']).map((problem) =>
    typeof problem === 'string' ? problem : `${problem.path} ${problem.message}`,
  )
export const nothing = (): Promise<void> => Promise.resolve()

/** A contribution of each point that its check takes. */
export const sound: Readonly<Record<string, object>> = {
  tool: {
    ...{ specVersion: 1, name: 'roll_dice', title: 'Roll dice', description: 'Rolls a number of dice.', parameters: Type.Object({}) },
    ...{ supports: { probe: false }, execute: nothing },
  },
  'scheduler.job': { specVersion: 1, id: 'tool-dice.sweep', title: 'Sweep', everySeconds: 60, run: nothing },
  'user.data': { specVersion: 1, id: 'tool-dice', collections: ['tool_dice.rolls'], export: nothing, erase: nothing, size: nothing },
  'database.driver': { specVersion: 1, id: 'paper', supports: { embedded: true, hotBackup: false, textSearch: true }, open: nothing },
  'cli.command': { specVersion: 1, name: 'dice roll', summary: 'Roll dice', run: nothing },
  'console.panel': {
    ...{ specVersion: 1, id: 'tool-dice', title: { en: 'Dice' }, group: 'main' },
    content: { kind: 'sections', sections: [{ kind: 'text', text: { en: 'Six of them.' } }] },
  },
  'doctor.check': { specVersion: 1, id: 'tool-dice', title: 'Dice', run: nothing },
  'http.route': {
    ...{ specVersion: 1, method: 'GET', path: '/api/plugins/tool-dice/{roll_id}', operationId: 'toolDiceRead', summary: 'Reads.' },
    ...{ auth: 'user', answers: { 200: { description: 'A roll.', schema: Type.Object({}) } }, handle: nothing },
  },
  'provider.adapter': {
    ...{ specVersion: 1, id: 'adapter_dice', name: 'dice', call: nothing },
    protocols: [{ id: 'dice', aliases: [], settings: Type.Object({}), protectedPaths: [], protectedStructuredPaths: [] }],
    supports: {
      ...{ streaming: true, tools: false, toolChoice: false, images: false },
      ...{ files: 'text', reasoning: false, opaqueParts: false, structuredOutput: false },
    },
  },
  'agent.prompt-section': {
    ...{ specVersion: 1, id: 'tool-dice', title: 'Dice', order: 300, kind: 'static', maxTokens: 100, text: nothing },
  },
  'agent.run-hook': { specVersion: 1, id: 'tool-dice', title: 'Dice', mask: nothing },
  'chat.part': { specVersion: 1, id: 'tool-dice', title: 'Dice', erase: nothing, export: nothing, import: nothing },
  'tool.source': { specVersion: 1, id: 'tool-dice', title: 'Dice', supports: { probe: false }, tools: nothing, execute: nothing },
  'memory.backend': {
    ...{
      specVersion: 1,
      id: 'dice',
      title: 'Dice',
      supports: { history: false, sweep: false, passes: false, revisions: false },
      promptText: nothing,
      remember: nothing,
    },
    ...{ search: nothing, forget: nothing, chatChanged: nothing, list: nothing, get: nothing, change: nothing },
    ...{ export: nothing, import: nothing, erase: nothing },
  },
  'policy.engine': {
    ...{ specVersion: 1, id: 'dice', title: 'Dice', fileEndings: ['.dice'], prepare: nothing },
    ...{ load: nothing, decide: nothing, rehearse: nothing, check: nothing },
  },
  'sandbox.driver': {
    ...{ specVersion: 1, id: 'dice', title: 'Dice', platforms: ['linux'], supports: { terminal: false }, health: nothing },
    ...{ run: nothing, send: nothing, measure: nothing, sweep: nothing, forget: nothing },
  },
  'search.provider': {
    ...{ specVersion: 1, id: 'dice', title: 'Dice', keyVariable: 'DICE_API_KEY', selfHosted: false, search: nothing },
  },
  'vault.connector': {
    ...{ specVersion: 1, id: 'dice', title: 'Dice', connection: Type.Object({ token: Type.String() }, { additionalProperties: false }) },
    ...{ supports: { write: false, renew: false }, test: nothing, list: nothing, read: nothing },
  },
  channel: {
    ...{ specVersion: 1, id: 'dice', title: 'Dice', connection: Type.Object({ token: Type.String() }), setUp: [], connect: nothing },
    limits: { text: { unit: 'characters', max: 2_000 } },
    supports: {
      ...{ markdown: false, groups: false, replies: false, buttons: false, attachmentsIn: false, attachmentsOut: false },
      ...{ edits: false, typing: false, presence: false, idempotentSend: false, webhook: false },
    },
  },
  'websocket.route': {
    ...{ specVersion: 1, path: '/api/plugins/tool-dice/{table_id}', operationId: 'toolDicePlay', summary: 'Plays.', auth: 'user' },
    ...{ messages: { kind: 'json', inbound: Type.Object({}), outbound: Type.Object({}) }, handle: nothing },
  },
  'http.site': { specVersion: 1, host: '*.dice.localhost', handle: nothing },
  'http.error-format': { specVersion: 1, prefix: '/api/plugins/tool-dice', format: nothing },
}
