import { expect } from 'chai'
import { splitChats } from './split-chats.js'

/** The pieces of a text that comes in chunks of this size. */
async function piecesOf(text: string, size: number, maxBytes?: number): Promise<readonly (string | undefined)[]> {
  const bytes = Buffer.from(text)
  async function* chunks(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
  }
  const pieces: (string | undefined)[] = []
  for await (const { json } of splitChats(chunks(), { file: 'f.json', ...(maxBytes !== undefined && { maxBytes }) }))
    pieces.push(json?.toString())
  return pieces
}

const problemOf = (text: string, size = 3): Promise<string> =>
  piecesOf(text, size).then(
    () => 'none',
    (error: unknown) => (error as Error).message,
  )

describe('the chats of a file', () => {
  it('are found wherever the chunks are cut', async () => {
    const chats = [{ a: 'x"y\\', b: [1, { c: '}]{[' }] }, { d: '\\\\"', e: 'ä€😀' }, {}]
    for (const text of [JSON.stringify(chats), `\ufeff ${JSON.stringify(chats, null, 2)}\n`]) {
      for (let size = 1; size < 40; size += 1) {
        const pieces = await piecesOf(text, size)
        expect(pieces.map((piece) => JSON.parse(piece ?? '') as unknown)).to.deep.equal(chats)
      }
    }
    expect(await piecesOf('{"a":[1]}', 2)).to.deep.equal(['{"a":[1]}'])
    expect(await piecesOf(' [ ] ', 1)).to.deep.equal([])
  })

  it('that are too large are passed over, and the next one is whole', async () => {
    expect(await piecesOf(`[{"a":"${'x'.repeat(500)}"},{"b":1}]`, 7, 100)).to.deep.equal([undefined, '{"b":1}'])
  })

  it('end where the file is broken, and it says where', async () => {
    expect(await problemOf('[{"a":1},\n{"b":"')).to.equal(
      'The export cannot be read: f.json, line 2: the file ends in the middle of chat 2. It was not downloaded or unpacked whole.',
    )
    expect(await problemOf('[{"a":1},\n')).to.equal(
      'The export cannot be read: f.json, line 2: the file ends after chat 1, in the middle of the list. It was not downloaded or unpacked whole.',
    )
    expect(await problemOf('[{"a":1},\n7]')).to.equal(
      'The export cannot be read: f.json, line 2: after chat 1 something other than a chat follows.',
    )
    expect(await problemOf('[{"a":1}] x')).to.equal('The export cannot be read: f.json, line 1: something follows the end of the JSON.')
    expect(await problemOf('<html>')).to.equal('The export cannot be read: f.json, line 1: it is not JSON.')
    expect(await problemOf('')).to.equal('The export cannot be read: f.json, line 1: the file is empty.')
  })
})
