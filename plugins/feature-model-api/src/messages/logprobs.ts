import type { JsonObject } from '@agent-service/sdk'
import type { LikelyToken, TokenLogprob } from '@agent-service/sdk/contracts/provider-adapter'

/** The log probability of a token as both protocols write it. */
export const wireLogprob = ({ top, ...token }: TokenLogprob): JsonObject => ({ ...wireToken(token), top_logprobs: top.map(wireToken) })

const wireToken = ({ token, logprob, bytes }: LikelyToken): JsonObject => ({
  token,
  logprob,
  bytes: bytes === undefined ? null : [...bytes],
})
