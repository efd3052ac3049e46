import { createControlledClock } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import { createRecordedEvents } from '../../test-support/recorded-events.js'
import type { RunSession } from '../session/run-session.js'
import { createDeltaThrottle } from '../streaming/delta-throttle.js'
import { createToolOutput } from './tool-output.js'

const begin = (mask?: (text: string) => Promise<string | undefined>, { byLines = true } = {}) => {
  const clock = createControlledClock()
  const events = createRecordedEvents()
  const session = { run: { id: 'r', chat_id: 'c', user_id: 'u' }, throttle: createDeltaThrottle(clock), outputs: new Map() } as Pick<
    RunSession,
    'run' | 'throttle' | 'outputs'
  >
  const call = { message_id: 'm', part: 1, call_id: 'k', name: 'shell', arguments_hash: 'h', state: 'started' } as const
  const output = createToolOutput({ session, events, call, ...(mask && { mask: { output: mask, byLines: () => byLines } }) })
  const pieces = () => events.deltas.map(({ data }) => data['output'] as { offset: number; text: string })
  return { clock, events, output, pieces }
}

describe('the output of a running tool', () => {
  it('is published in pieces at least 16 ms apart, each with its call and its offset', async () => {
    const { clock, events, output, pieces } = begin()
    await output.report('a')
    await output.report('b')
    await output.report('c')
    await clock.advance(16)
    expect(pieces()).to.deep.equal([
      { offset: 0, text: 'a' },
      { offset: 1, text: 'bc' },
    ])
    expect(events.deltas[0]).to.deep.include({ userId: 'u', name: 'tool_call.delta' })
    expect(events.deltas[0]?.data).to.deep.include({ chat_id: 'c', run_id: 'r', message_id: 'm', part: 1, call_id: 'k' })
  })

  it('never splits a character', async () => {
    const { clock, output, pieces } = begin()
    await output.report('x\ud83d')
    await output.report('\ude00')
    await clock.advance(16)
    expect(pieces().map(({ text }) => text)).to.deep.equal(['x', '😀'])
  })

  it('leaves out the middle of a flood, at its true offsets, and ends with its end', async () => {
    const { clock, output, pieces } = begin()
    const line = `${'x'.repeat(999)}\n`
    for (let count = 0; count < 1_000; count += 1) {
      await output.report(line)
      if (count % 10 === 0) await clock.advance(16)
    }
    await output.report('the end')
    await clock.advance(16 * 100)
    const last = pieces().at(-1)
    expect((last?.offset ?? 0) + (last?.text.length ?? 0)).to.equal(1_000_007)
    expect(last?.text).to.match(/the end$/)
    for (const [index, { offset, text }] of pieces().entries()) {
      expect(text.length).to.be.at.most(16_000)
      expect(offset).to.be.at.least((pieces()[index - 1]?.offset ?? 0) + (pieces()[index - 1]?.text.length ?? 0))
    }
    const shown = pieces().reduce((sum, { text }) => sum + text.length, 0)
    expect(shown).to.be.within(200_000, 400_000)
    expect(clock.pending()).to.equal(0)
  })

  it('is masked in whole lines; a very long line is masked in parts', async () => {
    const masked: string[] = []
    const { clock, output, pieces } = begin(async (text) => {
      masked.push(text)
      return text.replaceAll('secret', '***')
    })
    await output.report('a sec')
    await output.report('ret\nand a sec')
    await output.report('ret\nrest')
    await clock.advance(16)
    expect(masked).to.deep.equal(['a secret\n', 'and a secret\n'])
    expect(
      pieces()
        .map(({ text }) => text)
        .join(''),
    ).to.equal('a ***\nand a ***\n')
    await output.report('x'.repeat(9_000))
    await clock.advance(16)
    expect(masked.at(-1)).to.have.length(9_004)
  })

  it('is shown as it comes where no hook needs whole lines', async () => {
    const masked: string[] = []
    const { clock, output, pieces } = begin(
      async (text) => {
        masked.push(text)
        return text
      },
      { byLines: false },
    )
    await output.report('Go on? ')
    await output.report('[y/\ud83d')
    await clock.advance(16)
    expect(masked).to.deep.equal(['Go on? ', '[y/'])
    expect(
      pieces()
        .map(({ text }) => text)
        .join(''),
    ).to.equal('Go on? [y/')
  })

  it('counts what hooks skip, and shows nothing after the end of the call', async () => {
    const { clock, output, pieces } = begin(async (text) => (text === '2\n' ? undefined : text))
    for (const text of ['1\n', '2\n', '3\n']) await output.report(text)
    await clock.advance(16)
    expect(pieces()).to.deep.equal([
      { offset: 0, text: '1\n' },
      { offset: 4, text: '3\n' },
    ])
    output.close()
    await output.report('late\n')
    await clock.advance(16)
    expect(pieces()).to.have.length(2)
  })
})
