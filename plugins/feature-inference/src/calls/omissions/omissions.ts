import type { ServiceError } from '@agent-service/sdk'
import type { InferenceEvent, InferenceRequest } from '@agent-service/sdk/services/inference'
import { openPartOmissions } from './part-omissions.js'
import type { RefusedParts } from './refused-parts.js'
import type { RefusedTools } from './refused-tools.js'
import { openToolOmission } from './tool-omission.js'

type Reduced = Extract<InferenceEvent, { type: 'request.reduced' }>

/** What of a request one target is not sent: tools that its model does not take, pictures and files that its vendor refuses. */
export interface Omissions {
  /** Tools that are left out from the first attempt on, since the target has refused them before. */
  readonly known: Reduced | undefined
  /** The request for the next attempt. */
  request(): InferenceRequest
  /** What the next attempt goes without, after one that failed; `undefined` if leaving something out cannot help. */
  after(failure: ServiceError): Reduced | undefined
  /** The target has answered: later requests go without the same at once. Never rejects. */
  settle(): Promise<void>
}

/** Begins with what the target has refused before; `key` is the one of the target. */
export async function openOmissions(
  request: InferenceRequest,
  { key, provider, model }: { readonly key: string; readonly provider: string; readonly model: string },
  { refusedParts, refusedTools }: { readonly refusedParts: RefusedParts; readonly refusedTools: RefusedTools },
): Promise<Omissions> {
  const parts = await openPartOmissions(request, key, refusedParts)
  const tools = openToolOmission(request, key, refusedTools)
  const reduced = (leftOut: Reduced['left_out'], omission: Pick<Reduced, 'count' | 'reason'> | undefined): Reduced | undefined =>
    omission && { type: 'request.reduced', provider, model, left_out: leftOut, ...omission }
  return {
    known: reduced('tools', tools.known),
    request: () => tools.apply(parts.request()),
    // Tools first: pictures and files would be blamed for a refusal that does not name them.
    after: (failure) => reduced('tools', tools.after(failure)) ?? reduced('parts', parts.after(failure)),
    async settle() {
      tools.settle()
      await parts.settle()
    },
  }
}
