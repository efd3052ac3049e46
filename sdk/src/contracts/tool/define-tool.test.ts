import { expect } from 'chai'
import { Type } from '../../core/type.js'
import { defineTool, type ToolAnswer } from './define-tool.js'
import type { ToolContext } from './tool.js'

const context = { callId: 'call-1' } as ToolContext
const answering = (execute: () => ToolAnswer | Promise<ToolAnswer>) =>
  defineTool({ name: 'roll_dice', description: 'Rolls dice.', parameters: Type.Object({}), execute })

describe('defineTool', () => {
  it('fills in what follows from the definition', () => {
    const tool = answering(() => 'three')
    expect(tool).to.deep.include({ specVersion: 1, name: 'roll_dice', title: 'Roll dice', supports: { probe: false } })
    expect(tool.effect).to.equal(undefined)
    expect(Object.isFrozen(tool)).to.equal(true)
    const checkable = defineTool({
      ...{ name: 'book', title: 'Book a table', description: 'Books.', effect: 'checkable', parameters: Type.Object({}) },
      execute: () => '',
      probe: async () => 'done',
    })
    expect(checkable).to.deep.include({ title: 'Book a table', effect: 'checkable', supports: { probe: true } })
  })

  it('makes a result of a text, of JSON and of nothing else', async () => {
    expect(await answering(() => 'three').execute({}, context)).to.deep.equal({ content: [{ type: 'text', text: 'three' }] })
    expect(await answering(async () => ({ json: { content: 'x' } })).execute({}, context)).to.deep.equal({
      content: [{ type: 'json', json: { content: 'x' } }],
    })
    expect(await answering(() => ({ json: {}, files: [{ path: 'a.txt' }] })).execute({}, context)).to.deep.equal({
      content: [{ type: 'json', json: {} }],
      files: [{ path: 'a.txt' }],
    })
    const whole = { content: [{ type: 'text', text: 'No.' }], isError: true } as const
    expect(await answering(() => whole).execute({}, context)).to.equal(whole)
  })

  it('gives the functions about a call its input, with its type', () => {
    const tool = defineTool({
      ...{ name: 'greet', description: 'Greets a person.', parameters: Type.Object({ name: Type.String() }), execute: () => '' },
      scopes: ({ name }) => [{ key: name.toLowerCase(), label: `Greet ${name}` }],
      exactly: ({ name }) => name.length > 3 && 'Exactly this greeting',
    })
    expect(tool.scopes?.({ name: 'Ada' })).to.deep.equal([{ key: 'ada', label: 'Greet Ada' }])
    expect([tool.exactly?.({ name: 'Ada' }), tool.exactly?.({ name: 'Grace' })]).to.deep.equal([false, 'Exactly this greeting'])
    const wrong = () =>
      defineTool({
        ...{ name: 'greet', description: 'Greets a person.', parameters: Type.Object({ name: Type.String() }), execute: () => '' },
        // @ts-expect-error: kinds are named at once, not by a promise.
        scopes: async () => [],
      })
    expect(wrong).to.be.a('function')
  })

  it('rejects where the definition throws', async () => {
    const tool = answering(() => {
      throw new Error('broken')
    })
    const outcome = await tool.execute({}, context).catch((error: unknown) => error)
    expect(outcome).to.be.an('error').with.property('message', 'broken')
  })
})
