import { expect } from 'chai'
import { Type } from '../../core/type.js'
import { contributionChecks } from './index.js'

const problemsOf = (point: string, contribution: unknown): readonly string[] =>
  (contributionChecks.get(point)?.(contribution) ?? ['no check']).map((problem) =>
    typeof problem === 'string' ? problem : `${problem.path} ${problem.message}`,
  )
const nothing = (): Promise<void> => Promise.resolve()

const sound: Readonly<Record<string, object>> = {
  tool: {
    ...{ specVersion: 1, name: 'roll_dice', title: 'Roll dice', description: 'Rolls a number of dice.', parameters: Type.Object({}) },
    ...{ supports: { probe: false }, execute: nothing },
  },
  'scheduler.job': { specVersion: 1, id: 'tool-dice.sweep', title: 'Sweep', everySeconds: 60, run: nothing },
  'user.data': { specVersion: 1, id: 'tool-dice', collections: ['tool_dice.rolls'], export: nothing, erase: nothing, size: nothing },
  'database.driver': { specVersion: 1, id: 'paper', supports: { embedded: true, hotBackup: false, textSearch: true }, open: nothing },
  'cli.command': { specVersion: 1, name: 'dice roll', summary: 'Roll dice', run: nothing },
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
}

/** Members of the examples that are not required by themselves. */
const alternatives: ReadonlySet<string> = new Set(['scheduler.job everySeconds'])

describe('the checks of contributions', () => {
  it('are there for every point with an example here, and for no other', () => {
    expect([...contributionChecks.keys()]).to.have.members(Object.keys(sound))
  })

  for (const [point, contribution] of Object.entries(sound)) {
    it(`take a sound one of ${point}, also with absent members written as undefined`, () => {
      expect(problemsOf(point, contribution)).to.deep.equal([])
      expect(problemsOf(point, { ...contribution, anything: undefined })).to.deep.equal([])
    })

    it(`name each member that ${point} lacks, and each that it does not have`, () => {
      for (const name of Object.keys(contribution).filter((each) => !alternatives.has(`${point} ${each}`)))
        expect(problemsOf(point, { ...contribution, [name]: undefined }), name).to.include(`/${name} is required`)
      expect(problemsOf(point, { ...contribution, summry: 1 }).join()).to.match(/^\/summry is unknown/)
    })

    it(`refuse something else than an object of ${point}`, () => {
      for (const other of [undefined, null, 'text', 7, [], () => undefined])
        expect(problemsOf(point, other)).to.deep.equal(['/ must be an object'])
    })

    it(`refuse each member of ${point} that has another type`, () => {
      for (const name of Object.keys(contribution))
        expect(problemsOf(point, { ...contribution, [name]: Symbol('x') }).join(), name).to.contain(`/${name}`)
    })
  }

  it('never throw for a member that cannot be read', () => {
    const hostile = Object.defineProperty({ ...sound['tool'] }, 'title', {
      enumerable: true,
      get() {
        throw new Error('not for you')
      },
    })
    expect(problemsOf('tool', hostile)).to.include('/title cannot be read: not for you')
  })

  for (const [what, point, change, problem] of [
    ['a parameter of the path that is not declared', 'http.route', { params: Type.Object({}) }, '/params must declare {roll_id}'],
    ['an answer of no status', 'http.route', { answers: { ok: { description: 'Yes.' } } }, '/answers/ok must be a status, such as 200'],
    ['a body on GET', 'http.route', { body: { kind: 'json', schema: Type.Object({}) } }, '/body must be absent: a GET has no body'],
    ['a name twice', 'provider.adapter', { protocols: twice() }, '/protocols/1 has the name “dice”, which the adapter has already'],
    ['an interval of nothing', 'scheduler.job', { everySeconds: 0 }, '/everySeconds must be a number of at least 1'],
  ] as const) {
    it(`refuse ${what}`, () => {
      expect(problemsOf(point, { ...sound[point], ...change })).to.deep.equal([problem])
    })
  }

  it('refuse a setting that all protocols have', () => {
    const protocols = [{ ...twice()[0], settings: Type.Object({ temperature: Type.Number() }) }]
    expect(problemsOf('provider.adapter', { ...sound['provider.adapter'], protocols })[0]).to.contain('common to all protocols')
  })
})

function twice() {
  const protocol = { id: 'dice', aliases: [], settings: Type.Object({}), protectedPaths: [], protectedStructuredPaths: [] }
  return [protocol, protocol]
}
