import type { ServiceError } from '@agent-service/sdk'
import { type ProviderFailure, providerError } from '@agent-service/sdk/contracts/provider-adapter'
import { requestUnsupportedError } from '@agent-service/sdk/services/inference'
import { LRUCache } from 'lru-cache'

/** Kinds of failures that may say that a model takes no tools; runtimes answer such a request with 400, 404, 422 or 500. */
const kinds: ReadonlySet<unknown> = new Set<ProviderFailure>(['bad_request', 'model_not_found', 'overloaded', 'invalid_response'])

/** Tools at all, not one of them. */
const tools = '[\'"`“”]?(?:tools|tool[ _-](?:use|usage|calls?|calling)|function[ _-]?call(?:s|ing)?|functions)[\'"`“”]?'
const state = '(?:not (?:currently |yet )?(?:supported|enabled|available|allowed|permitted)|unsupported|disabled)'

/**
 * How vendors and runtimes say it: Ollama, Bedrock and DeepSeek (“does not support tools”), Groq, OpenAI and Perplexity (“tools is not supported with
 * this model”), Gemini (“Function calling is not enabled for …”), OpenRouter (“No endpoints found that support tool use”), vLLM
 * (“"auto" tool choice requires --enable-auto-tool-choice …”), llama.cpp (“tools param requires --jinja flag”), and schemas that do not know the
 * member.
 */
const signs = new RegExp(
  [
    `\\b(?:do(?:es)?(?: not|n['’]t)|cannot|can['’]t) (?:currently |yet )?(?:support|use|handle) (?:the use of )?${tools}(?![\\w-])`,
    `${tools} (?:(?:is|are) (?:currently )?)?${state}`,
    'no endpoints found that support tool',
    '"?auto"? tool choice requires',
    '\\btools? param(?:eter)? requires',
    `(?:unrecogni[sz]ed|unknown|unsupported|unexpected|extra) [\\w ]{0,30}(?:supplied|parameters?|fields?|arguments?|members?|keywords?)[^.]{0,40}\\btools\\b(?![.[])`,
    '\\btools: extra inputs are not permitted',
    'extra inputs are not permitted: [\'"`]?tools(?![\\w.[])',
  ].join('|'),
  'i',
)

/** One tool and its schema, or something that does not go together with tools: without all tools, too much would be lost. */
const narrower =
  /tools?\s*(?:\[\s*\d|\.\s*\d)|input_?schema|\bschemas?\b|\bstrict\b|\bparallel|\bresponse[_ ]?(?:format|mime)|\bjson\b|\bwhen\b|\bcombin|\btogether\b|\bcached\b|\bwith (?:thinking|images?)\b|\bin (?:\w+ ){0,3}messages?\b|\btools: ?\[/i

/** Whether a refusal says that the model, the server that runs it, or its adapter takes no tools at all. */
export function refusesTools(failure: ServiceError): boolean {
  const isUnsupported = requestUnsupportedError.isInstance(failure) && failure.details['param'] === 'tools'
  if (!isUnsupported && (!providerError.isInstance(failure) || !kinds.has(failure.details['failure']))) return false
  const reason = String(failure.details['reason']).slice(0, 4_000)
  return signs.test(reason) && !narrower.test(reason)
}

/** How long a target counts as one without tools, in milliseconds: models and servers are replaced. */
const rememberedMs = 3_600_000

/**
 * Remembers which target takes no tools, for each user: what a refusal says may repeat words of the
 * one who asked, which must not take the tools from others.
 */
export interface RefusedTools {
  /** The vendor's words, if the target has refused tools lately; `undefined` as user: for any of them. */
  reasonOf(target: string, userId: string | undefined): string | undefined
  remember(target: string, userId: string | undefined, reason: string): void
}

/** A memory of at most 5,000 targets of users. `now` is monotonic, in milliseconds. */
export function createRefusedTools(now: () => number): RefusedTools {
  const targets = new LRUCache<string, { readonly reason: string; readonly until: number }>({ max: 5_000 })
  const keyOf = (target: string, userId: string | undefined): string => JSON.stringify([target, userId])
  return {
    reasonOf(target, userId) {
      const refused = targets.get(keyOf(target, userId))
      return refused && now() < refused.until ? refused.reason : undefined
    },
    remember(target, userId, reason) {
      const refused = { reason, until: now() + rememberedMs }
      for (const user of new Set([userId, undefined])) targets.set(keyOf(target, user), refused)
    },
  }
}
