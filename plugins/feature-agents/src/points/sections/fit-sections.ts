import type { AgentPromptSection } from '@agent-service/sdk/contracts/agent-prompt-section'
import { cutText } from '../../common/well-formed.js'
import { estimateText } from '../../context/estimate-tokens.js'
import { bounded } from '../call-contribution.js'

/** A section with its text. */
export interface RenderedSection {
  readonly section: AgentPromptSection
  /** Trimmed, and within its tokens. */
  readonly text: string
}

/** Renders a section within this many tokens. Undefined: it has no text, or failed. */
export type SectionRenderer = (section: AgentPromptSection, maxTokens: number) => Promise<string | undefined>

/** A section that has to shrink below this many tokens is left out. */
const minTokens = 50

export const maxTokensOf = ({ maxTokens }: AgentPromptSection): number => bounded(maxTokens, 1_000, 1, 100_000)
const priorityOf = ({ priority }: AgentPromptSection): number => bounded(priority, 50, 0, 100)

/** The estimated size of a section, in tokens. */
export const sectionTokens = (text: string): number => Math.ceil(estimateText(text))

/** The text within its tokens: any excess is cut at the end, and a line states how much. */
export function cutSection(text: string, maxTokens: number): string {
  const tokens = sectionTokens(text)
  if (tokens <= maxTokens) return text
  let length = Math.floor((text.length * maxTokens) / tokens)
  for (;;) {
    const kept = cutText(text, Math.max(0, length))
    const marked = `${kept}\n[cut: ${text.length - kept.length} of ${text.length} characters left out]`
    if (length <= 0 || sectionTokens(marked) <= maxTokens) return marked
    length -= Math.max(1, Math.ceil((sectionTokens(marked) - maxTokens) * 2))
  }
}

/** Renders a section and cuts its text to its tokens. */
export async function renderSection(
  section: AgentPromptSection,
  maxTokens: number,
  ask: SectionRenderer,
): Promise<RenderedSection | undefined> {
  const text = (await ask(section, maxTokens))?.trim() ?? ''
  return text === '' ? undefined : { section, text: cutSection(text, maxTokens) }
}

/**
 * Makes sections fit into this many tokens together. Those with the lowest priority shrink first;
 * among equals, the last one. A section that shrinks is rendered again with the remaining tokens,
 * or left out if these are too few. Keeps the order.
 */
export async function fitSections(
  said: readonly RenderedSection[],
  totalTokens: number,
  ask: SectionRenderer,
): Promise<readonly RenderedSection[]> {
  const kept = new Map(said.map((one) => [one.section, one]))
  const sum = (): number => [...kept.values()].reduce((tokens, { text }) => tokens + sectionTokens(text), 0)
  const givingWay = said
    .map(({ section }, index) => ({ section, index }))
    .sort((one, other) => priorityOf(one.section) - priorityOf(other.section) || other.index - one.index)
  for (const { section } of givingWay) {
    const excess = sum() - totalTokens
    if (excess <= 0) break
    const left = sectionTokens(kept.get(section)?.text ?? '') - excess
    const shorter = left >= minTokens ? await renderSection(section, left, ask) : undefined
    if (shorter) kept.set(section, shorter)
    else kept.delete(section)
  }
  return [...kept.values()]
}

/** The tokens that sections may take by their own statement: known before they are rendered. */
export const statedTokens = (sections: readonly AgentPromptSection[]): number =>
  sections.reduce((sum, section) => sum + maxTokensOf(section), 0)
