import type { JsonObject, JsonValue } from '@agent-service/sdk'
import type { LikelyToken, TokenLogprob } from '@agent-service/sdk/contracts/provider-adapter'
import { listAt, numberAt, objectAt, textAt } from '@agent-service/sdk/provider-kit'

/** The log probabilities of a candidate: the chosen tokens, and the likeliest in each position. */
export function readLogprobs(candidate: JsonObject): readonly TokenLogprob[] {
  const result = objectAt(candidate, 'logprobsResult')
  const top = listAt(result, 'topCandidates')
  return listAt(result, 'chosenCandidates').flatMap((chosen, position) => {
    const token = readToken(chosen)
    return token ? [{ ...token, top: listAt(top[position], 'candidates').flatMap((likely) => readToken(likely) ?? []) }] : []
  })
}

function readToken(entry: JsonValue): LikelyToken | undefined {
  const [token, logprob] = [textAt(entry, 'token'), numberAt(entry, 'logProbability')]
  return token === undefined || logprob === undefined ? undefined : { token, logprob }
}
