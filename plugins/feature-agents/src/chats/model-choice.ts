import { invalidRequestError } from '@agent-service/sdk/contracts/http-route'
import type { Inference } from '@agent-service/sdk/services/inference'

/**
 * Checks the model group that a request names, if it names one. @throws `invalid_request` with the
 * known groups unless it is one that answers: those for embeddings do not. `path`: where it is named.
 */
export function requireModel(inference: Pick<Inference, 'groups'>, model: string | null | undefined, path = '/model'): void {
  if (model === undefined || model === null) return
  const known = inference.groups().flatMap(({ name, embeds }) => (embeds ? [] : [name]))
  if (known.includes(model)) return
  const message = known.length === 0 ? 'cannot be set: no model group is configured' : `must be one of the model groups ${known.join(', ')}`
  throw invalidRequestError.create({ where: 'body' }, { problems: [{ path, message }] })
}
