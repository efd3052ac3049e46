import { endpointUrl } from '@agent-service/sdk/provider-kit'

/**
 * The address of an operation at Azure, `/chat/completions` unless another is named, from each form
 * of the resource address: its host; with `/openai`; with `/openai/deployments/NAME`, which names
 * the deployment; with `/openai/v1`, whose addresses have no version; with `/models`, for models of
 * others. A whole address with `/chat/completions` at its end is one of these too.
 * @throws a call failure for an invalid address.
 */
export function azureEndpoint(
  baseUrl: string,
  model: string,
  query: Readonly<Record<string, string>>,
  operation = '/chat/completions',
): URL {
  const base = baseUrl
    .replace(/\?.*$/, '')
    .replace(/\/+$/, '')
    .replace(/\/chat\/completions$/, '')
  if (/\/openai\/v1$/.test(base)) return endpointUrl(base, operation)
  if (/\/models$/.test(base) || /\/deployments\/[^/]+$/.test(base)) return endpointUrl(base, operation, query)
  const root = base.replace(/\/openai(\/deployments)?$/, '')
  return endpointUrl(root, `/openai/deployments/${encodeURIComponent(model)}${operation}`, query)
}
