import { createEventTypes } from '@agent-service/kernel-core/events'
import { Type } from '@agent-service/sdk'
import { expect } from 'chai'
import { createEventRoutes } from './event-routes.js'

describe('types of events', () => {
  const types = createEventTypes([
    {
      id: 'dice',
      manifest: {
        events: {
          'dice.rolled': {
            description: 'A die was rolled.',
            schema: Type.Object({ sides: Type.Integer() }, { additionalProperties: true }),
          },
          'dice.rolled.delta': { description: 'A die rolls.', schema: Type.Object({ face: Type.Integer() }) },
        },
      },
    },
    { id: 'plain', manifest: {} },
  ])

  it('let a plugin publish the events that its manifest declares, by their schemas', () => {
    types.check('dice', 'dice.rolled', { sides: 6, colour: 'red' })
    types.check('dice', 'dice.rolled.delta', { face: 3 })
  })

  it('refuse data that does not match, with plugin, event and path', () => {
    expect(() => types.check('dice', 'dice.rolled', { sides: 'six' }))
      .to.throw(/“dice.rolled” of plugin “dice”.*\/sides must be/)
      .with.property('code', 'event_invalid')
    expect(() => types.check('dice', 'dice.rolled.delta', { face: 3, more: true })).to.throw(/\/more/)
  })

  it('refuse undeclared events, and events of another plugin', () => {
    expect(() => types.check('dice', 'dice.lost', {}))
      .to.throw(/“dice” may not publish “dice.lost”.*“events” of its manifest/)
      .with.property('code', 'event_undeclared')
    expect(() => types.check('plain', 'dice.rolled', { sides: 6 })).to.throw(/belongs to plugin “dice”/)
  })

  it('are listed for clients, with their schemas', async () => {
    const streams = { open: () => ({ [Symbol.asyncIterator]: () => ({ next: async () => ({ done: true as const, value: undefined }) }) }) }
    const route = createEventRoutes({ streams, types }).find(({ operationId }) => operationId === 'listEventTypes')
    const answer = await route?.handle({} as Parameters<typeof route.handle>[0])
    const { types: listed } = (answer as unknown as { readonly json: { readonly types: readonly Record<string, unknown>[] } }).json
    expect(listed.map(({ name, kind, plugin }) => [name, kind, plugin])).to.deep.equal([
      ['dice.rolled', 'state', 'dice'],
      ['dice.rolled.delta', 'delta', 'dice'],
    ])
    expect(listed[0]).to.have.nested.property('schema.properties.sides.type', 'integer')
  })
})
