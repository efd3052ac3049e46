import { expect } from 'chai'
import { cutInText, good } from './support/faults.js'
import { type MatrixCase, type MatrixKernel, startMatrixKernel } from './support/matrix-kernel.js'
import { families } from './support/wires/index.js'

const caseOf = (family: string, what: 'early' | 'late'): MatrixCase => ({
  name: `${what}-${family}`,
  family,
  retries: 0,
  replays: (wire) => [what === 'late' ? cutInText(wire) : { ...good(wire), status: 503 }],
  fallback: true,
})

describe('POST /v1/chat/completions with a failing upstream', function () {
  this.timeout(30_000)
  let matrix: MatrixKernel

  before(async () => {
    matrix = await startMatrixKernel(families.flatMap((family) => [caseOf(family, 'early'), caseOf(family, 'late')]))
  })
  after(() => matrix?.close())

  const stream = async (model: string): Promise<readonly string[]> => {
    const answer = await fetch(`${matrix.kernel.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${matrix.person.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, stream: true, messages: [{ role: 'user', content: 'Hello' }] }),
    })
    expect(answer.status).to.equal(200)
    return (await answer.text()).split('\n').flatMap((line) => (line.startsWith('data: ') ? [line.slice(6)] : []))
  }
  const textOf = (lines: readonly string[]): string =>
    lines
      .filter((line) => line !== '[DONE]')
      .map((line) => {
        const chunk = JSON.parse(line) as { readonly choices?: readonly { readonly delta?: { readonly content?: string } }[] }
        return chunk.choices?.[0]?.delta?.content ?? ''
      })
      .join('')

  for (const family of families) {
    it(`is answered by the next model before any output (${family})`, async () => {
      const lines = await stream(`early-${family}`)
      expect(lines.at(-1)).to.equal('[DONE]')
      expect(textOf(lines)).to.equal('Hello, world')
    })

    it(`ends with an error, and not as if it were complete, after output (${family})`, async () => {
      const lines = await stream(`late-${family}`)
      expect(textOf(lines)).to.equal('Hello, ')
      expect(lines).to.not.include('[DONE]')
      expect(JSON.parse(lines.at(-1) ?? ''))
        .to.have.property('error')
        .that.includes({ code: 'upstream_unavailable' })
      expect(matrix.upstream.seen.filter(({ url }) => url.includes(`/spare/late-${family}/`))).to.deep.equal([])
    })
  }
})
