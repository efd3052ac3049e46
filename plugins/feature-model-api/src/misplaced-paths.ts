/** Where clients look for the protocol if their base URL lacks `/v1`, or was made for another service. */
export const mistakenPrefixes: readonly string[] = [
  '/chat/completions',
  '/completions',
  '/responses',
  '/embeddings',
  '/models',
  '/engines',
  '/openai',
  '/api/v1',
  '/api/openai',
  '/api/chat/completions',
  '/api/completions',
  '/api/responses',
  '/api/embeddings',
  '/api/chat',
  '/api/generate',
  '/api/tags',
  '/api/show',
  '/v1beta',
  '/V1',
]

const baseUrl = 'Set the base URL of the client to the address of the service and /v1, such as https://agents.example/v1.'
const completions = 'Completions of a prompt are not supported. Use POST /v1/chat/completions.'
const endpoints = 'There are GET /v1/models, POST /v1/chat/completions, POST /v1/responses and POST /v1/embeddings.'

/** What to do about a path that does not exist: the first whose pattern fits. */
const cures: readonly (readonly [path: RegExp, cure: string])[] = [
  [
    /\/openai\/deployments(\/|$)/,
    `This is a path of Azure. Use the client for OpenAI; the model group is the member model of the request. ${baseUrl}`,
  ],
  [/^\/v1\/messages(\/|$)/, 'The protocol of Anthropic is not spoken here. Use a client for OpenAI and POST /v1/chat/completions.'],
  [/^\/v1beta(\/|$)/, `The protocol of Gemini is not spoken here. Use a client for OpenAI. ${baseUrl}`],
  [/^\/api\/(chat|generate|tags|show)$/, `The protocol of Ollama is not spoken here. Use a client for OpenAI. ${baseUrl}`],
  [/^\/v1\/(completions|engines(\/.*)?)$/, completions],
  [/^\/v1\/responses\/compact$/, 'Conversations are not compacted here. Let the client ask for a summary, or shorten the input.'],
  [/^\/v1\/responses\/input_tokens$/, 'The tokens of an input are not counted before it is answered.'],
  [/^\/v1\/responses\/./, 'Responses of model groups are not stored. Send the whole conversation as input.'],
  [/^\/v1\/chat\/completions\/(?!chat\/|v1\/)./, 'Completions are not stored.'],
  [/^\/v1\/models\/./, 'Write each slash of the id of a model as %2F.'],
  [/\s|%(?:20|09|0a|0d)/i, `There is a blank in the path. ${baseUrl}`],
  [/^\/v1\/(.*\/)?(api|v1|openai|chat\/completions|responses|embeddings|models)(\/|$)/, baseUrl],
  [/^\/v1$/, `This is the base URL. ${endpoints}`],
  [/^\/v1\//, endpoints],
  [/^/, baseUrl],
]

/** The sentence that tells a client what to change if it asked for a path that does not exist, or sent no credential. */
export function cureOf(code: string, path: string): string | undefined {
  if (code === 'unauthenticated') return 'No other header, such as api-key or x-api-key, is read.'
  const isMisplaced = code === 'not_found' || (code === 'invalid_path' && !isOwn(path))
  return isMisplaced ? cures.find(([pattern]) => pattern.test(path))?.[1] : undefined
}

const isOwn = (path: string): boolean => path === '/v1' || path.startsWith('/v1/')
