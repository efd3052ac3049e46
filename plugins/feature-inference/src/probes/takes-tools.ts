import { ServiceError } from '@agent-service/sdk'
import { refusesTools } from '../calls/omissions/refused-tools.js'
import type { ListedOffer } from './list-models.js'

/**
 * Whether a model takes tools: as its provider or the catalogue says, else by one more call that offers it one. `undefined` if that call fails
 * for another reason.
 */
export async function takesTools(
  offered: Pick<ListedOffer, 'tools' | 'known'> | undefined,
  callWithTool: () => Promise<unknown>,
): Promise<boolean | undefined> {
  const known = offered?.tools ?? offered?.known?.abilities?.includes('tools')
  if (known !== undefined) return known
  const error = await callWithTool()
  if (error === undefined) return true
  return ServiceError.isInstance(error) && refusesTools(error) ? false : undefined
}
