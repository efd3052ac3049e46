import { expect } from 'chai'
import { abortable } from './abortable.js'
import { untilAborted } from './until-aborted.js'

const reason = new Error('enough')
const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  )
const never = (): Promise<never> => new Promise(() => undefined)

describe('untilAborted', () => {
  it('gives what the source gives', async () => {
    const source = async function* () {
      yield 1
      yield 2
    }
    const seen: number[] = []
    for await (const item of untilAborted(source(), new AbortController().signal)) seen.push(item)
    expect(seen).to.deep.equal([1, 2])
  })

  it('throws the reason at once though the source never answers, and tells it to end', async () => {
    const controller = new AbortController()
    let told = 0
    const source: AsyncIterable<number> = {
      [Symbol.asyncIterator]: () => ({ next: () => never(), return: () => Promise.reject(new Error(`told ${++told}`)) }),
    }
    const end = failureOf(untilAborted(source, controller.signal).next())
    controller.abort(reason)
    expect(await end).to.equal(reason)
    expect(told).to.equal(1)
  })

  it('ends the source when its reader leaves', async () => {
    let ended = false
    const source = async function* () {
      try {
        for (;;) yield 1
      } finally {
        ended = true
      }
    }
    for await (const _ of untilAborted(source(), new AbortController().signal)) break
    await Promise.resolve()
    expect(ended).to.equal(true)
  })

  it('passes on what the source throws, and does not begin when it is too late', async () => {
    const broken = new Error('broken')
    const source = async function* (): AsyncGenerator<number> {
      yield* []
      throw broken
    }
    expect(await failureOf(untilAborted(source(), new AbortController().signal).next())).to.equal(broken)
    expect(await failureOf(untilAborted(source(), AbortSignal.abort(reason)).next())).to.equal(reason)
  })
})

describe('abortable', () => {
  it('gives the result, the error, or the reason of the abort', async () => {
    const { signal } = new AbortController()
    expect(await abortable(async () => 7, signal)).to.equal(7)
    expect(await failureOf(abortable(() => Promise.reject(reason), signal))).to.equal(reason)
    const controller = new AbortController()
    const end = failureOf(abortable(never, controller.signal))
    controller.abort(reason)
    expect(await end).to.equal(reason)
  })

  it('does not begin work with an aborted signal', async () => {
    let begun = false
    const work = async (): Promise<void> => {
      begun = true
    }
    expect(await failureOf(abortable(work, AbortSignal.abort(reason)))).to.equal(reason)
    expect(begun).to.equal(false)
  })
})
