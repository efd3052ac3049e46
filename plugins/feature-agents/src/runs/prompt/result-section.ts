import type { PromptSection } from '../../prompts/prompt-section.js'
import type { Run } from '../../store/runs/run.js'

/** Behind everything else: it is of one run alone. */
const order = 900

/** Says which form the final answer of a run must have. */
export const resultSection: PromptSection<{ readonly run: Pick<Run, 'terms'> }> = {
  order,
  async text({ run }) {
    const wanted = run.terms?.result
    if (!wanted) return undefined
    return `Your final answer is read by a program. It must be one JSON value that fits the following JSON Schema (“${wanted.name}”), with no words before or behind it and no code fence:\n\n${JSON.stringify(wanted.schema)}`
  },
}
