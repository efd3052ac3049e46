import { requestUnsupportedError } from '@agent-service/sdk/services/inference'

/** What this protocol calls members of chat completions. */
const ownNames: Readonly<Record<string, string>> = {
  messages: 'input',
  response_format: 'text.format',
  max_tokens: 'max_output_tokens',
  reasoning_effort: 'reasoning.effort',
  logprobs: 'include',
}

/** Throws an error again; that of a model that cannot carry a member with the member's own name. */
export function failInOwnNames(error: unknown): never {
  if (!requestUnsupportedError.isInstance(error)) throw error
  const { group, param, reason } = error.details as { readonly group: string; readonly param: string; readonly reason: string }
  const own = ownNames[param] ?? param
  throw requestUnsupportedError.create({ group, param: own, reason }, { cause: error, problems: [{ path: own, message: reason }] })
}
