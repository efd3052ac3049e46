import type { JsonValue } from '@agent-service/sdk'
import { bytesOf, type Recording, type Recordings } from '@agent-service/sdk/testing'

type Loose = { readonly [name: string]: unknown }

/** A recording in which two events were cut and are not JSON. */
export const brokenRecording = 'openai-responses/vercel--parallel-tool-call-wrapper.1.chunks.txt'

/**
 * The recordings of the responses protocol, of all brands, except the broken one. A file with
 * several answers, one after the other, is several recordings.
 */
export const responsesRecordings = (library: Recordings): readonly Recording[] =>
  ['openai-responses', 'openai-compat/xai-responses', 'azure-openai', 'copilot']
    .flatMap((place) => library.below(place))
    .filter(({ name, kind }) => !(kind === 'sse' && brokenRecording.startsWith(name)))
    .filter(isOfResponses)
    .flatMap(eachAnswer)

/** By the address, the folder, or the shape of what was answered. */
function isOfResponses({ name, url, documents }: Recording): boolean {
  const first = documents[0] as Loose
  const hasShape = String(first['type']).startsWith('response.') || first['object'] === 'response' || Array.isArray(first['output'])
  return hasShape || url?.includes('/responses') === true || name.startsWith('openai-responses/')
}

function eachAnswer(recording: Recording): readonly Recording[] {
  const answers: JsonValue[][] = []
  for (const document of recording.documents) {
    if (isStart(document) || answers.length === 0) answers.push([])
    answers.at(-1)?.push(document)
  }
  if (answers.length < 2) return [recording]
  return answers.map((documents, index) => ({
    ...recording,
    name: `${recording.name} (${index + 1})`,
    documents,
    bytes: bytesOf(documents.map((document) => `event: ${typeOf(document)}\ndata: ${JSON.stringify(document)}\n\n`).join('')),
  }))
}

const typeOf = (document: JsonValue): string => String((document as Loose)['type'])
const isStart = (document: JsonValue): boolean => typeOf(document) === 'response.created'
