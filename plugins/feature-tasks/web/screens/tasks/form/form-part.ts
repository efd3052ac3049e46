import type { Draft } from './draft.js'

/** What the parts of the form get. */
export interface FormPart {
  readonly draft: Draft
  readonly change: (change: Partial<Draft>) => void
  /** What is wrong with a member, as the form or the service says. */
  readonly problemAt: (member: keyof Draft) => string | undefined
}
