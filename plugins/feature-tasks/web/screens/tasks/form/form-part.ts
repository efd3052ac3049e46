import type { BoundField } from '@agent-service/sdk/web/forms'
import type { Draft } from './draft.js'

/** What the parts of the form get. */
export interface FormPart {
  readonly draft: Draft
  /** Binds a member of the draft. */
  readonly field: <Name extends keyof Draft>(name: Name) => BoundField<Draft[Name]>
}
