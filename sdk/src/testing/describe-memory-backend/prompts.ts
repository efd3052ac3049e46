import { strict as assert } from 'node:assert'
import { ada, assistant } from './suite-bench.js'
import type { MemorySuite } from './suite-options.js'

const numbered = (index: number): string => `[from-${index}] ${'a fact about the garden '.repeat(8)}[to-${index}]`

/** Whether the text of the memory of this number is in a prompt: whole, or not at all. */
function isWhole(text: string, index: number): boolean {
  const whole = text.includes(numbered(index))
  assert.ok(whole || !(text.includes(`[from-${index}]`) || text.includes(`[to-${index}]`)), `memory ${index} is cut`)
  return whole
}

/** What an agent reads. */
export function describePrompts({ it }: MemorySuite): void {
  it('gives whole memories within the budget, however small', async ({ remember, prompt }) => {
    assert.equal(await prompt(), '')
    for (let index = 0; index < 16; index += 1) await remember(numbered(index))
    for (const maxTokens of [0, 1, 10, 49, 60, 120, 300, 10_000]) {
      const text = await prompt({ maxTokens })
      const whole = Array.from({ length: 16 }, (_, index) => index).filter((index) => isWhole(text, index))
      if (maxTokens >= 300) assert.ok(whole.length > 0, `nothing fits in ${maxTokens} tokens`)
    }
  })

  it('leaves out one that is too long, and no other for it', async ({ remember, prompt }) => {
    await remember(numbered(0))
    await remember('a very long story '.repeat(200))
    const text = await prompt({ maxTokens: 300 })
    assert.ok(isWhole(text, 0), 'one that is too long hides one that fits')
    assert.doesNotMatch(text, /a very long story/)
  })

  it('puts pinned ones first, and keeps them when room is short', async ({ backend, signal, remember, prompt }) => {
    const ids: string[] = []
    for (let index = 0; index < 8; index += 1) ids.push(await remember(numbered(index)))
    const pinned = [2, 7]
    for (const index of pinned) await backend.change(ids[index] ?? '', { pinned: true }, { userId: ada, signal })
    for (let index = 8; index < 12; index += 1) ids.push(await remember(numbered(index)))
    for (const maxTokens of [250, 10_000]) {
      const text = await prompt({ maxTokens })
      for (const index of pinned) assert.ok(isWhole(text, index), `the pinned memory ${index} is left out of ${maxTokens} tokens`)
      const positions = ids.map((_, index) => (isWhole(text, index) ? text.indexOf(`[from-${index}]`) : -1))
      const last = Math.max(...pinned.map((index) => positions[index] ?? 0))
      assert.ok(
        positions.every((position, index) => pinned.includes(index) || position === -1 || position > last),
        'a pinned memory stands behind another one',
      )
    }
  })

  it('gives the same text while nothing changes', async ({ remember, prompt, find, listAll, restarted, sweepAll }) => {
    for (let index = 0; index < 6; index += 1) await remember(numbered(index))
    await sweepAll()
    const text = await prompt()
    await find('garden')
    await listAll()
    assert.equal(await prompt(), text)
    const { signal } = new AbortController()
    const again = await (await restarted()).promptText({ userId: ada, agentId: assistant, maxTokens: 2_000 }, { signal })
    assert.equal(again, text, 'it is another one after a restart')
  })

  it('has what was changed, and not what was there before', async ({ backend, signal, remember, prompt }) => {
    const id = await remember('Plays the violin.')
    await backend.change(id, { text: 'Plays the cello.' }, { userId: ada, signal })
    const text = await prompt()
    assert.ok(text.includes('Plays the cello.') && !text.includes('violin'), text)
  })
}
