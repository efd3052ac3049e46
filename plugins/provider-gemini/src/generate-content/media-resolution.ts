import type { ContentPart, ModelRequest } from '@agent-service/sdk/contracts/provider-adapter'
import { callFailure } from '@agent-service/sdk/provider-kit'

/** The protocol's names; it has no finer one. */
const resolutions = { low: 'MEDIA_RESOLUTION_LOW', high: 'MEDIA_RESOLUTION_HIGH' } as const

/**
 * The resolution for all media of the request: the protocol has one for the whole. @throws a call
 * failure if the images ask for different ones, or for one that the protocol does not have.
 */
export function mediaResolution({ messages }: ModelRequest): string | undefined {
  const parts: readonly ContentPart[] = messages.flatMap(({ content }): readonly ContentPart[] => content)
  const shown = parts.flatMap((part): readonly ContentPart[] => (part.type === 'tool_result' ? part.content : [part]))
  const details = new Set(shown.flatMap((part) => (part.type === 'image' ? [part.detail ?? 'auto'] : [])))
  const [detail] = details
  if (detail === undefined || (detail === 'auto' && details.size === 1)) return undefined
  if (details.size > 1) throw refusal('takes one detail for all images of a request. Give every image the same detail.')
  if (detail !== 'low' && detail !== 'high') throw refusal(`does not know the detail “${detail}”. Use low, high or auto.`)
  return resolutions[detail]
}

const refusal = (reason: string): Error => callFailure({ failure: 'bad_request', retryable: false, reason: `This protocol ${reason}` })
