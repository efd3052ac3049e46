import { wellFormedValue } from '@agent-service/sdk'
import { picturesOf } from '@agent-service/sdk/contracts/provider-adapter'
import { fitPictures } from '../pictures/fit-pictures.js'
import type { PictureReducer } from '../pictures/picture-reducer.js'
import type { ResolvedTarget } from '../targets/resolve-target.js'
import { sendableTool } from '../tools/sendable-tool.js'

/**
 * The request of a target as an adapter can send it, whatever is stored: well-formed texts, schemas
 * of tools that vendors take, and media with the type of their bytes and within the adapter's limits. Releases the lease if it
 * fails. @throws the signal's reason.
 */
export async function sendableRequest<Resolved extends ResolvedTarget>(
  resolved: Resolved,
  {
    reducer,
    exact,
    userId,
    signal,
  }: { readonly reducer: PictureReducer; readonly exact: boolean; readonly userId: string | undefined; readonly signal: AbortSignal },
): Promise<Resolved> {
  const { lease, request } = resolved
  try {
    const limits = picturesOf(lease.value, request.protocol)
    const messages = await fitPictures(wellFormedValue(request.messages), { limits, reducer, keepAll: exact, userId, signal })
    const { tools, settings, extraParams, responseSchema } = request
    return {
      ...resolved,
      request: {
        ...request,
        messages,
        tools: tools.map(sendableTool),
        settings: wellFormedValue(settings),
        extraParams: wellFormedValue(extraParams),
        ...(responseSchema !== undefined && { responseSchema: wellFormedValue(responseSchema) }),
      },
    }
  } catch (error) {
    lease.release()
    throw error
  }
}
