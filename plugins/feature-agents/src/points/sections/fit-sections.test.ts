import type { AgentPromptSection } from '@agent-service/sdk/contracts/agent-prompt-section'
import { expect } from 'chai'
import fc from 'fast-check'
import { cutSection, fitSections, type RenderedSection, type SectionRenderer, sectionTokens } from './fit-sections.js'

const said = (id: string, tokens: number, priority?: number): RenderedSection => ({
  section: {
    ...{ specVersion: 1, id, title: id, order: 100, kind: 'static', maxTokens: 10_000, text: async () => undefined },
    ...(priority !== undefined && { priority }),
  } satisfies AgentPromptSection,
  text: 'x'.repeat(4 * tokens),
})
const sizes = (fitted: readonly RenderedSection[]) => fitted.map(({ section, text }) => `${section.id} ${sectionTokens(text)}`)
const obedient: SectionRenderer = async (_, maxTokens) => 'y'.repeat(4 * maxTokens)

describe('sections that are too long together', () => {
  it('stay if there is room, and are not rendered again', async () => {
    const asked: string[] = []
    const ask: SectionRenderer = async ({ id }) => void asked.push(id)
    expect(sizes(await fitSections([said('a', 100), said('b', 100)], 200, ask))).to.deep.equal(['a 100', 'b 100'])
    expect(asked).to.deep.equal([])
  })

  it('shrink by priority, and among equals from the last one on; the order stays', async () => {
    expect(sizes(await fitSections([said('a', 100, 10), said('b', 100), said('c', 100)], 240, obedient))).to.deep.equal(['b 100', 'c 100'])
    expect(sizes(await fitSections([said('a', 200, 10), said('b', 100), said('c', 100)], 300, obedient))).to.deep.equal([
      'a 100',
      'b 100',
      'c 100',
    ])
    expect(sizes(await fitSections([said('a', 100), said('b', 100), said('c', 100)], 240, obedient))).to.deep.equal(['a 100', 'b 100'])
    expect(sizes(await fitSections([said('a', 100), said('b', 200), said('c', 100)], 150, obedient))).to.deep.equal(['a 100', 'b 50'])
  })

  it('are left out if they have no shorter text', async () => {
    expect(sizes(await fitSections([said('a', 100), said('b', 200)], 250, async () => undefined))).to.deep.equal(['a 100'])
  })

  it('never take more than the room, whatever they return', async () => {
    const lists = fc.array(fc.tuple(fc.nat(2_000), fc.nat(100)), { maxLength: 8 })
    const check = async (list: readonly (readonly [number, number])[], room: number, length: number): Promise<void> => {
      const sections = list.map(([tokens, priority], index) => said(`s${index}`, tokens + 1, priority))
      const fitted = await fitSections(sections, room, async () => 'z'.repeat(length))
      expect(fitted.reduce((sum, { text }) => sum + sectionTokens(text), 0)).to.be.at.most(room)
    }
    await fc.assert(fc.asyncProperty(lists, fc.nat(4_000), fc.nat(20_000), check), { numRuns: 100 })
  })
})

describe('a section with too much text', () => {
  it('is cut at the end, with a mark, and never within a character', () => {
    expect(cutSection('short', 10)).to.equal('short')
    const cut = cutSection('word '.repeat(400), 100)
    expect(cut).to.match(/^(word )+\S*\n\[cut: \d+ of 2000 characters left out\]$/)
    expect(cutSection('🙂'.repeat(400), 100)).to.match(/^🙂+\n\[cut/u)
  })

  it('is within its tokens afterwards, in any script', () => {
    const text = fc.string({ unit: 'grapheme', minLength: 200, maxLength: 2_000 })
    const check = (given: string, maxTokens: number): void => {
      expect(sectionTokens(cutSection(given, maxTokens))).to.be.at.most(maxTokens)
    }
    fc.assert(fc.property(text, fc.integer({ min: 50, max: 400 }), check), { numRuns: 100 })
  })
})
