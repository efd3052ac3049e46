import path from 'node:path'
import { expect } from 'chai'
import { metricConflictError } from '../../metrics/index.js'
import {
  createMemoryDocuments,
  createPluginTree,
  createRecorder,
  createTestHost,
  type PluginFiles,
  type PluginTree,
  type TestHostOptions,
} from './fixture.test.js'

const thing = `context.contribute(point('thing'), { specVersion: 1, id: 'adapter_x' })`
const route = (id: string): string =>
  `context.contribute(point('http.route'), { ...route('/api/plugins/${id}/rolls'), operationId: 'toolDiceRead' })`
interface Rivals {
  readonly elder: Omit<PluginFiles, 'manifest'> & { readonly manifest?: Partial<PluginFiles['manifest']> }
  readonly newcomer: Rivals['elder']
}

/**
 * Two third parties that exclude each other. `tool-dice` was there first; `tool` begins its id, is
 * before it in the alphabet and starts before it, since `tool-dice` can use its service.
 */
const kinds: Readonly<Record<string, Rivals>> = {
  'a contribution': {
    elder: { manifest: { contributes: ['thing'] }, setup: thing },
    newcomer: { manifest: { contributes: ['thing'] }, setup: thing },
  },
  'an operation': {
    elder: { manifest: { contributes: ['http.route'] }, setup: route('tool-dice') },
    newcomer: { manifest: { contributes: ['http.route'] }, setup: route('tool') },
  },
  'a command': {
    elder: { manifest: { contributes: ['cli.command'] }, setup: command() },
    newcomer: { manifest: { contributes: ['cli.command'] }, setup: command() },
  },
  'the first word of commands': {
    elder: { manifest: { contributes: ['cli.command'] }, setup: command('dice roll') },
    newcomer: { manifest: { contributes: ['cli.command'] }, setup: command('dice throw') },
  },
  'a command that is the first word of commands': {
    elder: { manifest: { contributes: ['cli.command'] }, setup: command('dice roll') },
    newcomer: { manifest: { contributes: ['cli.command'] }, setup: command('dice') },
  },
  'a service': {
    elder: { manifest: { provides: ['dice'] }, setup: `context.provide(ref('dice'), 1)` },
    newcomer: { manifest: { provides: ['dice'] }, setup: `context.provide(ref('dice'), 2)` },
  },
  'a metric, which is declared in setup': {
    elder: { setup: `context.use(ref('kernel.names')).claim('tool_dice_rolls')` },
    newcomer: { setup: `context.use(ref('kernel.names')).claim('tool_dice_rolls')` },
  },
}

function command(name = 'roll'): string {
  return `context.contribute(point('cli.command', (value) => value.name), { specVersion: 1, name: '${name}', summary: 'Rolls', run: async () => ({ status: 0 }) })`
}

/** Stands for the metrics of the kernel, whose names end with their plugin. */
function createNames(): NonNullable<TestHostOptions['kernelServices']> {
  const owners = new Map<string, string>()
  return new Map([
    [
      'kernel.names',
      (pluginId, scope) => ({
        claim(metric: string) {
          const owner = owners.get(metric)
          if (owner !== undefined) throw metricConflictError.create({ metric, owner })
          owners.set(metric, pluginId)
          scope.add(metric, () => void owners.delete(metric))
        },
      }),
    ],
  ])
}

describe('of two third parties with one name', () => {
  let tree: PluginTree
  beforeEach(async () => {
    createRecorder()
    tree = await createPluginTree()
  })
  afterEach(() => tree.remove())

  const write = (id: string, { manifest, ...files }: Rivals['elder'], folder = id): Promise<string> =>
    tree.write({ ...files, manifest: { id, ...manifest } }, path.join(tree.root, folder))
  /** The states and reasons after a start with these sources. */
  async function startWith(sources: readonly string[], stateDocuments: TestHostOptions['stateDocuments']) {
    const options = stateDocuments === undefined ? {} : { stateDocuments }
    const { host } = await createTestHost(tree, { sources, kernelServices: createNames(), ...options })
    await host.start()
    const reports = host.report()
    await host.stop()
    return Object.fromEntries(reports.map(({ id, state, reason }) => [id, { state, reason: reason ?? '' }]))
  }

  for (const [kind, { elder, newcomer }] of Object.entries(kinds)) {
    it(`the one that was there first keeps it, whichever starts first: ${kind}`, async () => {
      const stateDocuments = createMemoryDocuments()
      const first = await write('tool-dice', { ...elder, manifest: { ...elder.manifest, optional: ['early'] } })
      const provides = [...(newcomer.manifest?.provides ?? []), 'early']
      const later = await write('tool', {
        ...{ ...newcomer, manifest: { ...newcomer.manifest, provides } },
        setup: `context.provide(ref('early'), 1); ${newcomer.setup}`,
      })
      expect(await startWith([first], stateDocuments)).to.have.nested.property('tool-dice.state', 'active')
      for (const sources of [
        [later, first],
        [first, later],
      ]) {
        const { 'tool-dice': kept, tool: refused } = await startWith(sources, stateDocuments)
        expect(kept).to.deep.equal({ state: 'active', reason: '' })
        expect(refused?.state).to.be.oneOf(['failed', 'invalid'])
        expect(refused?.reason)
          .to.match(/“tool-dice”|tool-dice/)
          .and.contain('“tool”')
      }
      // Without the first one the name is free, and when that comes back it is the newcomer.
      expect(await startWith([later], stateDocuments)).to.have.nested.property('tool.state', 'active')
      const { 'tool-dice': back, tool } = await startWith([first, later], stateDocuments)
      expect(tool).to.deep.equal({ state: 'active', reason: '' })
      expect(back?.state).to.be.oneOf(['failed', 'invalid'])
    })
  }

  it('the id decides if both are seen for the first time in one start', async () => {
    const { elder, newcomer } = kinds['a contribution'] as Rivals
    const sources = [await write('tool-dice', elder), await write('tool', newcomer)]
    const states = await startWith(sources, undefined)
    expect([states['tool']?.state, states['tool-dice']?.state]).to.deep.equal(['active', 'failed'])
  })

  it('the first one of an id stays, and both fail if they came together', async () => {
    const stateDocuments = createMemoryDocuments()
    const [first, second] = [await write('dice', {}, 'z'), await write('dice', {}, 'a')]
    const states = async (sources: readonly string[], documents: TestHostOptions['stateDocuments']) => {
      const { host } = await createTestHost(tree, { sources, ...(documents && { stateDocuments: documents }) })
      await host.start()
      const reports = host.report()
      await host.stop()
      return Object.fromEntries(reports.map(({ source, state, reason }) => [source, `${state} ${reason ?? ''}`]))
    }
    await states([first], stateDocuments)
    const known = await states([second, first], stateDocuments)
    expect(known[first]).to.equal('active ')
    expect(known[second]).to.match(/^invalid several plugins have the id “dice”: .*\/a and .*\/z.*was there first and keeps it/)
    const together = await states([second, first], undefined)
    for (const state of Object.values(together)) expect(state).to.match(/^invalid several plugins have the id “dice”/)
  })
})
