import { createFakeAgentCredentials } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { createShownOutput, type ShownOutput } from './shown-output.js'

const agent = { userId: 'ada', agentId: 'a1' }
const secret = 'gehëim-4711'

/** What a page shows that gets these pieces, and the position at which it is then. */
async function shownOf(
  pieces: readonly Uint8Array[],
  { start = 0, from = start }: { readonly start?: number; readonly from?: number } = {},
) {
  const credentials = createFakeAgentCredentials()
  credentials.grant(agent, {
    name: 'github',
    fields: [{ name: 'token', secret: true, variable: 'TOKEN', as: 'value', value: secret }],
  })
  await credentials.open(['github'], { ...agent, kind: 'process', target: 'a test' }, { signal: new AbortController().signal })
  const output = createShownOutput(await credentials.mask(agent), { start, from })
  const parts: ShownOutput[] = []
  for (const piece of pieces) parts.push(...output.take(piece))
  parts.push(...output.end())
  let position = from
  for (const part of parts) position = part.kind === 'bytes' ? position + part.bytes.length : part.next
  const bytes = Buffer.concat(parts.map((part) => (part.kind === 'bytes' ? part.bytes : Buffer.from(part.text))))
  return { bytes, position, kinds: parts.map(({ kind }) => kind) }
}

/** The bytes in pieces of one length. */
const inPieces = (bytes: Uint8Array, length: number): readonly Uint8Array[] =>
  Array.from({ length: Math.ceil(bytes.length / length) }, (_, index) => bytes.subarray(index * length, (index + 1) * length))

describe('what a page is shown of the output of a terminal', () => {
  it('is each byte as the process wrote it, however it is divided, whatever it is', async () => {
    const texts = [
      Buffer.from('grüße-世界-🦊\r\n'.repeat(5)),
      Buffer.from([0, 0xff, 0x41, 0xe4, 0xb8, 0x42, 0xf0, 0x9f, 0xa6, 0xc3, 0xbc, 0x80, 0xef, 0xbf, 0xbd, 0xed, 0xa0, 0x80, 0xc3]),
      Buffer.from(Array.from({ length: 1_024 }, (_, index) => (index * 167 + (index >> 3)) % 256)),
    ]
    for (const bytes of texts)
      for (const length of [1, 2, 3, 5, bytes.length]) {
        const shown = await shownOf(inPieces(bytes, length))
        expect(shown.bytes.toString('hex'), `in pieces of ${length}`).to.equal(bytes.toString('hex'))
        expect(shown.position).to.equal(bytes.length)
      }
  })

  it('begins at any byte, also in the middle of a character', async () => {
    const bytes = Buffer.from('a-世界-🦊-é')
    for (let from = 0; from <= bytes.length; from += 1) {
      const shown = await shownOf(inPieces(bytes, 7), { from })
      expect(shown.bytes.toString('hex'), `from ${from}`).to.equal(bytes.subarray(from).toString('hex'))
      expect(shown.position).to.equal(bytes.length)
    }
  })

  it('has a placeholder for a secret, after which positions are those of the process', async () => {
    const bytes = Buffer.from(`é ${secret} and ${secret}\r\n`)
    for (const length of [1, 4, bytes.length]) {
      const shown = await shownOf(inPieces(bytes, length), { start: 100 })
      expect(shown.bytes.toString(), `in pieces of ${length}`).to.equal('é [credential github] and [credential github]\r\n')
      expect(shown.position).to.equal(100 + bytes.length)
    }
  })

  it('shows no rest of a secret to a page that begins inside of it', async () => {
    const bytes = Buffer.from(`user ${secret} end`)
    const end = bytes.indexOf(' end')
    for (let from = 6; from < end; from += 1) {
      const shown = await shownOf([bytes], { from })
      expect(shown.bytes.toString(), `from ${from}`).to.equal('[credential github] end')
      expect(shown.position).to.equal(bytes.length)
    }
    expect((await shownOf([bytes], { from: end })).bytes.toString()).to.equal(' end')
  })
})
