import { expect } from 'chai'
import { tools } from '../contracts/tool/index.js'
import { createTestContext } from '../testing/create-test-context.js'
import { defineContributionPoint } from './contribution-point.js'
import { definePlugin, isPlugin } from './define-plugin.js'
import { defineServiceReference } from './service-reference.js'
import { Type } from './type.js'

interface Greeter {
  greet(name: string): string
}

const greeterReference = defineServiceReference<Greeter>()('greeter')
const greetings = defineContributionPoint<{ readonly specVersion: 1; readonly text: string }>()({
  id: 'greeting',
  cardinality: 'many',
  specVersions: [1],
  keyOf: (greeting) => greeting.text,
})

describe('definePlugin', () => {
  const plugin = definePlugin({
    manifest: {
      id: 'example-greeter',
      apiVersion: 1,
      contributes: ['greeting'],
      requires: ['greeter'],
      config: Type.Object({ name: Type.String({ default: 'world' }) }),
    },
    setup(context) {
      const name: string = context.config.name
      context.contribute(greetings, { specVersion: 1, text: context.use(greeterReference).greet(name) })
      context.log.info('set up', { name })
    },
  })

  it('makes a frozen, branded plugin that runs nothing by itself', async () => {
    expect(isPlugin(plugin)).to.equal(true)
    expect(Object.isFrozen(plugin)).to.equal(true)
    expect(plugin.collections).to.deep.equal([])
    expect(isPlugin({ ...plugin })).to.equal(false)
    const copy = (await import(`${new URL('./define-plugin.js', import.meta.url).href}?copy=1`)) as typeof import('./define-plugin.js')
    expect(copy.isPlugin(plugin)).to.equal(true)
  })

  it('sets up in a test context, whose scope undoes it', async () => {
    const test = createTestContext({
      config: { name: 'Ada' },
      services: [[greeterReference, { greet: (name: string) => `Hello, ${name}` }]],
    })
    let undone = false
    test.context.onDispose(() => {
      undone = true
    })
    await plugin.setup(test.context)
    expect(test.contributed(greetings)).to.deep.equal([{ specVersion: 1, text: 'Hello, Ada' }])
    expect(test.contributed(tools)).to.deep.equal([])
    expect(test.lines).to.deep.equal([{ level: 'info', message: 'set up', fields: { name: 'Ada' } }])
    await test.dispose()
    expect(undone).to.equal(true)
    expect(test.context.signal.aborted).to.equal(true)
  })

  it('names the service that a test forgot', () => {
    const test = createTestContext({ config: { name: 'Ada' } })
    expect(() => plugin.setup(test.context)).to.throw('greeter')
    expect(test.context.use(greeterReference, { optional: true })).to.equal(undefined)
  })
})
