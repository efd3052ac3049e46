import type { JsonObject } from '@agent-service/sdk'
import { textAt } from '@agent-service/sdk/provider-kit'
import { type ConnectionQuirks, patternAt, readConnectionQuirks } from '../connection/connection-quirks.js'

/** How a brand differs from the plain responses protocol. Data of the catalogue. */
export interface ResponsesQuirks extends ConnectionQuirks {
  /** Replaces `/responses`. */
  readonly path: string
  /** Models that reason: only they are asked for a summary. Absent: unknown. */
  readonly reasoningModels: RegExp | undefined
  /** False: ids of items do not go back, since the brand generates new ones for each event. */
  readonly itemIds: boolean
  /** The role of instructions that come after the conversation has begun. */
  readonly instructionRole: 'developer' | 'system'
}

/** Reads the quirks of a connection. */
export function readResponsesQuirks(quirks: JsonObject): ResponsesQuirks {
  return {
    ...readConnectionQuirks(quirks),
    path: textAt(quirks, 'responses_path') ?? '/responses',
    reasoningModels: patternAt(quirks, 'reasoning_models'),
    itemIds: quirks['item_ids'] !== false,
    instructionRole: quirks['instruction_role'] === 'system' ? 'system' : 'developer',
  }
}
