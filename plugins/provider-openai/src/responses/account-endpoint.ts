/** The endpoint for signed-in accounts, which have no key of the public API. */
const accountBaseUrl = 'https://chatgpt.com/backend-api/codex'
const publicHost = 'api.openai.com'

/** The default instructions: this endpoint refuses an empty text. */
export const accountInstructions = 'You are a helpful assistant.'

/**
 * The address for a signed-in person: that of the public API is replaced, another one that was
 * configured stays.
 */
export function accountAddress(baseUrl: string): string {
  return URL.canParse(baseUrl) && new URL(baseUrl).hostname === publicHost ? accountBaseUrl : baseUrl
}

/** The headers for an account's token. This endpoint always streams. */
export const accountHeaders = (accountId: string): Readonly<Record<string, string>> => ({
  accept: 'text/event-stream',
  'chatgpt-account-id': accountId,
  'openai-beta': 'responses=experimental',
  originator: 'agent-service',
})

/** Members of the body that this endpoint refuses. */
export const accountRefuses: ReadonlySet<string> = new Set(['max_output_tokens', 'temperature', 'top_p', 'top_logprobs'])
