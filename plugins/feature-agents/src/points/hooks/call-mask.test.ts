import type { MaskedTexts } from '@agent-service/sdk/contracts/agent-run-hook'
import type { ToolContent } from '@agent-service/sdk/contracts/tool'
import { expect } from 'chai'
import fc from 'fast-check'
import { createCallMask } from './call-mask.js'
import { textsOf, withTexts } from './content-texts.js'
import type { RunHooks } from './run-hooks.js'

const call = { userId: 'u', agentId: 'a', chatId: 'c', runId: 'r', callId: 'call', tool: 'look' }
const signal = new AbortController().signal
const hooksWith = (mask: RunHooks['mask']): Pick<RunHooks, 'has' | 'mask'> => ({ has: (member) => member === 'mask', mask })
const stars: RunHooks['mask'] = async ({ texts }) => texts.map((text) => text.replaceAll('secret', '***'))

describe('the texts of a result', () => {
  it('are put back where they were', () => {
    const json = fc.jsonValue({ maxDepth: 4 }).map((value) => ({ type: 'json' as const, json: { value } as never }))
    const part = fc.oneof(
      json,
      fc.string().map((text) => ({ type: 'text' as const, text })),
    )
    const check = (content: readonly ToolContent[]): void => {
      const texts = textsOf(content)
      expect(withTexts(content, texts)).to.deep.equal(content)
      expect(
        textsOf(
          withTexts(
            content,
            texts.map((_, index) => `t${index}`),
          ),
        ),
      ).to.deep.equal(texts.map((_, index) => `t${index}`))
    }
    fc.assert(fc.property(fc.array(part, { maxLength: 4 }), check), { numRuns: 200 })
  })

  it('keep two members whose names become equal', () => {
    const content: readonly ToolContent[] = [{ type: 'json', json: { one: 1, two: 2 } }]
    expect(withTexts(content, ['x', 'x'])).to.deep.equal([{ type: 'json', json: { x: 1, x_: 2 } }])
  })
})

describe('the mask of one call', () => {
  it('shows hooks its texts in order, the result after the progress', async () => {
    const seen: string[] = []
    const mask = createCallMask(
      hooksWith(async ({ kind, texts }) => {
        seen.push(`${kind} ${texts.join()} begins`)
        await new Promise((resolve) => setImmediate(resolve))
        seen.push(`${kind} ends`)
        return texts
      }),
      call,
    )
    const first = mask.progress('one')
    const second = mask.progress('two')
    await first
    await Promise.all([second, mask.result([{ type: 'text', text: 'end' }], signal)])
    expect(seen.filter((line) => line.endsWith('begins'))).to.include.members(['progress one begins', 'result end begins'])
    for (const [index, line] of seen.entries()) if (line.endsWith('begins')) expect(seen[index + 1]).to.match(/ends$/)
    expect(seen.at(-2)).to.equal('result end begins')
  })

  it('skips progress after the result, and excess progress', async () => {
    let masked = 0
    let release: () => void = () => undefined
    const gate = new Promise<void>((resolve) => {
      release = resolve
    })
    const mask = createCallMask(
      hooksWith(async ({ texts }) => {
        masked += 1
        await gate
        return texts
      }),
      call,
    )
    const many = Array.from({ length: 500 }, (_, index) => mask.progress(`${index}`))
    release()
    const shown = (await Promise.all(many)).filter((text) => text !== undefined)
    expect(shown.at(-1)).to.equal('499')
    expect(masked).to.be.at.most(60)
    await mask.result([{ type: 'text', text: 'end' }], signal)
    expect(await mask.progress('late')).to.equal(undefined)
  })

  it('gives hooks the output as a kind of its own, which may wait for the next piece', async () => {
    let held = ''
    const mask = createCallMask(
      hooksWith(async ({ kind, texts }) => {
        if (kind !== 'output') return texts
        const whole = held + texts.join('')
        const end = whole.lastIndexOf('s')
        held = end === -1 ? '' : whole.slice(end)
        return [whole.slice(0, whole.length - held.length)]
      }),
      call,
    )
    expect([await mask.output('the s'), await mask.progress('step'), await mask.output('ecret')]).to.deep.equal(['the ', 'step', ''])
  })

  it('masks an error with its stack and its causes', async () => {
    const mask = createCallMask(hooksWith(stars), call)
    const error = (await mask.error(new TypeError('a secret', { cause: new Error('the secret behind it') }))) as Error
    expect(`${error.name} ${error.message} ${error.stack} ${String(error.cause)} ${(error.cause as Error).stack}`).not.to.include('secret')
    expect(error).to.include({ name: 'TypeError', message: 'a ***' })
    expect(error.cause).to.have.property('message', 'the *** behind it')
    expect(await mask.error('a plain secret')).to.have.property('message', 'a plain ***')
  })

  it('withholds texts that could not be masked', async () => {
    const mask = createCallMask(
      hooksWith(async () => ({ withheld: 'withheld: no mask' })),
      call,
    )
    expect(await mask.progress('secret')).to.equal('[withheld: no mask]')
    expect(await mask.result([{ type: 'text', text: 'secret' }], signal)).to.deep.equal({ withheld: 'withheld: no mask' })
    expect(await mask.error(new Error('secret'))).to.have.property('message', '[withheld: no mask]')
  })

  it('changes nothing if no hook masks', async () => {
    const never = async (_: MaskedTexts): Promise<never> => expect.fail('it was asked')
    const mask = createCallMask({ has: () => false, mask: never }, call)
    const content: readonly ToolContent[] = [{ type: 'text', text: 'plain' }]
    const error = new Error('plain')
    expect([await mask.result(content, signal), await mask.progress('plain'), await mask.error(error)]).to.deep.equal([
      content,
      'plain',
      error,
    ])
  })
})
