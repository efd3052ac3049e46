import { expect } from 'chai'
import type { JsonObject } from '../core/json.js'
import { bytesOf } from '../testing/replay/index.js'
import { testCalls } from './test-call.test.js'

type Piece = Readonly<Record<string, unknown>>
const stream = (pieces: readonly Piece[]): string =>
  [...pieces.map((piece) => ({ tool_calls: [piece] })), undefined]
    .map(
      (delta) =>
        `data: ${JSON.stringify({ id: 'a', choices: [{ index: 0, delta: delta ?? {}, finish_reason: delta ? null : 'tool_calls' }] })}\n\n`,
    )
    .join('')
const head = (more: Piece = {}): Piece => ({ index: 0, id: 'one', function: { name: 'look', arguments: '' }, ...more })
const args = (value: unknown, more: Piece = {}): Piece => ({ index: 0, function: { arguments: value }, ...more })

describe('arguments of calls in irregular streams', () => {
  const calls = testCalls()
  const read = async (pieces: readonly Piece[]) => {
    calls.answer({ pieces: [bytesOf(`${stream(pieces)}data: [DONE]\n\n`)] })
    const { finished, events, error } = await calls.outcome()
    expect(error).to.equal(undefined)
    const parts = (finished?.content ?? []).flatMap((part) => (part.type === 'tool_call' ? [part] : []))
    const streamed = parts.map((_, part) =>
      events.map((each) => (each.type === 'tool_call.delta' && each.part === part ? each.arguments_text : '')).join(''),
    )
    return { parts, streamed, arguments: parts.map((part) => part.arguments) }
  }
  const whole = { city: 'Wien' }
  const text = JSON.stringify(whole)

  it('blanks after the arguments, and a repetition in pieces, add nothing', async () => {
    const long = { city: 'W'.repeat(20_000) }
    const again = JSON.stringify(long)
    const repeated = Array.from({ length: 400 }, (_, index) => again.slice(index * 51, (index + 1) * 51))
    const found = await read([
      head(),
      args(again),
      ...Array.from({ length: 2_000 }, () => args(' \n')),
      ...repeated.map((each) => args(each)),
    ])
    expect(found.arguments).to.deep.equal([long])
    expect(found.streamed).to.deep.equal([again])
  })

  for (const first of ['{}', 'null', '""', ' {} ', {}, null]) {
    it(`${JSON.stringify(first)} before the arguments is dropped`, async () => {
      for (const rest of [[text], [text.slice(0, 5), text.slice(5)], [whole]]) {
        const found = await read([head(), args(first), ...rest.map((each) => args(each))])
        expect(found.arguments).to.deep.equal([whole])
        expect(found.streamed).to.deep.equal([text])
      }
      const inHead = await read([head({ function: { name: 'look', arguments: first } }), args(text)])
      expect(inHead.arguments).to.deep.equal([whole])
    })
  }
  it('is dropped also if it is cut, and nothing is lost of arguments that begin like it', async () => {
    for (const first of ['{}', 'null', '""']) {
      const pieces = [...first].map((character) => args(character))
      expect(await read([head(), ...pieces, args(text)])).to.deep.include({ arguments: [whole], streamed: [text] })
      const alone = await read([head(), ...pieces])
      expect(alone.arguments).to.deep.equal([{}])
      expect(alone.parts[0]).not.to.have.property('invalid_arguments')
    }
    const { parts } = await read([head(), args('nu'), args('mber')])
    expect(parts[0]?.invalid_arguments).to.equal('number')
  })
  it('and is the arguments where nothing else comes', async () => {
    const found = await read([head(), args('{}')])
    expect(found).to.deep.include({ arguments: [{}], streamed: ['{}'] })
  })
  it('{} glued to the arguments is dropped', async () => {
    expect(await read([head(), args(`{}${text}`)])).to.deep.include({ arguments: [whole], streamed: [text] })
  })
  it('arguments that are repeated at the end count once, as text, as an object, or in pieces', async () => {
    for (const again of [[text], [whole], [JSON.stringify(whole, null, 1)], [text.slice(0, 3), text.slice(3)], ['{}']]) {
      const found = await read([head(), args(text.slice(0, 4)), args(text.slice(4)), ...again.map((each) => args(each))])
      expect(found).to.deep.include({ arguments: [whole], streamed: [text] })
    }
  })
  it('two different objects are not arguments', async () => {
    const { parts } = await read([head(), args(text), args('{"city":"Graz"}')])
    expect(parts[0]?.invalid_arguments).to.equal(`${text}{"city":"Graz"}`)
  })
  it('braces and quotes inside texts change nothing', async () => {
    const odd = { code: 'if (a) {"}"} else {}', more: '\\' }
    const odds = JSON.stringify(odd)
    for (const size of [1, 2, 7]) {
      const pieces = Array.from({ length: Math.ceil(odds.length / size) }, (_, index) => odds.slice(index * size, (index + 1) * size))
      const found = await read([head(), ...pieces.map((each) => args(each))])
      expect(found).to.deep.include({ arguments: [odd], streamed: [odds] })
    }
  })

  const two = (pieces: readonly Piece[]) => async (): Promise<void> => {
    const { parts } = await read(pieces)
    expect(parts.map(({ name, arguments: given }) => ({ name, given }))).to.deep.equal([
      { name: 'look', given: { x: 1 } },
      { name: 'find', given: { y: 2 } },
    ])
    expect(new Set(parts.map((part) => part.provider_call_id)).size).to.equal(2)
  }
  const piece = (name: string | undefined, given: string, more: Piece): Piece => ({
    function: { ...(name !== undefined && { name }), arguments: given },
    ...more,
  })
  const both: Readonly<Record<string, readonly Piece[]>> = {
    'index always 0, pieces in turns with their ids': [
      piece('look', '', { index: 0, id: 'a' }),
      piece('find', '', { index: 0, id: 'b' }),
      piece(undefined, '{"x":', { index: 0, id: 'a' }),
      piece(undefined, '{"y":', { index: 0, id: 'b' }),
      piece(undefined, '1}', { index: 0, id: 'a' }),
      piece(undefined, '2}', { index: 0, id: 'b' }),
    ],
    'index always 0, without ids': [
      piece('look', '{"x":1}', { index: 0 }),
      piece('find', '{"y":', { index: 0 }),
      piece(undefined, '2}', { index: 0 }),
    ],
    'index always 0, without ids, no arguments at first': [
      piece('look', '{"x":1}', { index: 0 }),
      piece('find', '', { index: 0 }),
      piece(undefined, '{"y":2}', { index: 0 }),
    ],
    'the same id for both, by index': [piece('look', '{"x":1}', { index: 0, id: 'a' }), piece('find', '{"y":2}', { index: 1, id: 'a' })],
    'the same id for both, without an index': [piece('look', '{"x":1}', { id: 'a' }), piece('find', '{"y":2}', { id: 'a' })],
    'id and name in every piece': [
      piece('look', '{"x"', { index: 0, id: 'a' }),
      piece('look', ':1}', { index: 0, id: 'a' }),
      piece('find', '{"y"', { index: 1, id: 'b' }),
      piece('find', ':2}', { index: 1, id: 'b' }),
    ],
    'name in every piece, neither id nor index': [
      piece('look', '{"x"', {}),
      piece('look', ':1}', {}),
      piece('find', '{"y"', {}),
      piece('find', ':2}', {}),
    ],
    'an id of its own in every piece': [
      piece('look', '{"x"', { index: 0, id: 'a1' }),
      piece('look', ':1}', { index: 0, id: 'a2' }),
      piece('find', '{"y"', { index: 1, id: 'b1' }),
      piece(undefined, ':2}', { index: 1, id: 'b2' }),
    ],
    'ids in later pieces': [
      piece('look', '{"x"', { index: 0 }),
      piece(undefined, ':1}', { index: 0, id: 'a' }),
      piece('find', '{"y"', { index: 1 }),
      piece(undefined, ':2}', { index: 1, id: 'b' }),
    ],
    'without index, {} first': [
      piece('look', '{}', { id: 'a' }),
      piece(undefined, '{"x":1}', { id: 'a' }),
      piece('find', '{}', { id: 'b' }),
      piece(undefined, '{"y":2}', {}),
    ],
    'whole calls at the end again': [
      piece('look', '{"x":1}', { index: 0, id: 'a' }),
      piece('find', '{"y":2}', { index: 1, id: 'b' }),
      piece('look', '{"x":1}', { index: 0, id: 'a' }),
      piece('find', '{"y":2}', { index: 1, id: 'b' }),
    ],
  }
  for (const [name, pieces] of Object.entries(both)) it(`two calls: ${name}`, two(pieces))

  it('two calls of one answer in one piece, without ids, without or with the same index', async () => {
    for (const index of [undefined, 0]) {
      const list: readonly JsonObject[] = ['look', 'look'].map((name, at) => ({
        ...(index !== undefined && { index }),
        function: { name, arguments: at === 0 ? '' : '{"y":2}' },
      }))
      const outcome = await calls.outcomeOfBody(
        JSON.stringify({ choices: [{ index: 0, message: { content: null, tool_calls: list }, finish_reason: 'tool_calls' }] }),
        'application/json',
      )
      const parts = (outcome.finished?.content ?? []).flatMap((part) => (part.type === 'tool_call' ? [part.arguments] : []))
      expect(parts).to.deep.equal([{}, { y: 2 }])
    }
  })
})
